/** Random values that stay the same until they are replaced, as resources. */
import { acceptProvisioned, provisioned } from "./provisioned/index.ts";
import { Resource } from "./resource.ts";
import type { ResourceParameters } from "./resource.ts";
import type { ResourceOptions } from "./resource-options.ts";
import { registerClass } from "./type-token.ts";

export interface IdProps {
  readonly bytes: number;
}

/** Random bytes. */
export class Id extends Resource {
  readonly hex: string = provisioned();
  readonly base64: string = provisioned();

  constructor(props: IdProps, options?: ResourceOptions);
  constructor(id: string | undefined, props: IdProps, options?: ResourceOptions);
  constructor(...args: readonly unknown[]) {
    super(...(args as ResourceParameters));
  }
}

export interface PasswordProps {
  readonly length: number;
}

/** A password of letters and digits, kept secret. */
export class Password extends Resource {
  static readonly secret: readonly string[] = ["value"];
  readonly value: string = provisioned();

  constructor(props: PasswordProps, options?: ResourceOptions);
  constructor(id: string | undefined, props: PasswordProps, options?: ResourceOptions);
  constructor(...args: readonly unknown[]) {
    super(...(args as ResourceParameters));
  }
}

registerClass(Id, "keelson:random", "Id");
registerClass(Password, "keelson:random", "Password");
acceptProvisioned(Id, Password);
