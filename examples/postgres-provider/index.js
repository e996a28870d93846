import { provisioned, Resource } from "keelson";

/** A role: `new Role({ name: "shop", login: true, password: password.value })`. */
export class Role extends Resource {
  static secret = ["password"];
  oid = provisioned();
}

/** A database: `new Database({ name: "shop", owner: role.name })`. */
export class Database extends Resource {
  oid = provisioned();
}
