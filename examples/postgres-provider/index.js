import { provisioned, Resource } from "keelson";

/** A role: `new Role({ name: "shop", login: true, password }, { secret: ["password"] })`. */
export class Role extends Resource {
  oid = provisioned();
}

/** A database: `new Database({ name: "shop", owner: role.name })`. */
export class Database extends Resource {
  oid = provisioned();
}
