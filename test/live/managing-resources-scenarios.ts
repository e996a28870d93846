import { afterAll, beforeAll, expect, it } from "vitest";
import { fieldAt } from "../../src/json/index.ts";
import { group, LiveWorld } from "./live-world.ts";

const apiVersion = "smith.atlassian.com/v1";
const namespace = "default";

/**
 * The document "Managing resources" from top to bottom, its YAML word for word. What today's API servers
 * refuse is corrected as the diagnostics say, line by line, and nothing else is changed. One thing the
 * document does not show is the definition of ResourceBinding, which stands first.
 */
export function managingResourcesScenarios(kubeconfig: () => string): void {
  let world: LiveWorld;
  beforeAll(() => {
    world = new LiveWorld(kubeconfig());
    world.write("pkg/resourcegroup.yaml", group("managing-resources"));
    world.write(
      "pkg/binding-kind.yaml",
      "apiVersion: extensions/v1beta1\nkind: ThirdPartyResource\nmetadata:\n  name: resource-binding.smith.atlassian.com\nversions:\n- name: v1\n",
    );
  });
  afterAll(async () => {
    await world.live("destroy pkg");
    world.remove();
  });

  /** Writes a block into the package and applies that; gives everything that was said. */
  const apply = async (file: string, text: string, flags = ""): Promise<string> => {
    world.write(`pkg/${file}.yaml`, text);
    const { code, stdout, stderr } = await world.live(`apply pkg${flags}`);
    return `${stdout}${stderr}exit ${code}`;
  };
  /** Applies what is refused, and then what the hint made of it. */
  const corrected = async (
    file: string,
    text: string,
    code: string,
    hint: RegExp,
    correct: (text: string, found: readonly string[]) => string,
  ): Promise<string> => {
    const said = await apply(file, text);
    expect(said).toContain(`error[${code}]`);
    expect(said).toContain("exit 1");
    const found = hint.exec(said);
    expect(found, `${hint.source} in ${said}`).not.toBeNull();
    const better = correct(text, found ?? []);
    expect(better).not.toBe(text);
    return better;
  };
  const lowerCaseName = (name: string): ((text: string) => string) => {
    return (text) => text.replace(`\n  name: ${name}\n`, `\n  name: ${name.toLowerCase()}\n`);
  };
  const status = async (): Promise<string> => (await world.live("status pkg")).stdout;

  const fieldThatEqualsAValue = async (): Promise<void> => {
    const said = await apply("t1", cloudFormation);
    expect(said).toContain("warning[objects.third-party-resource]");
    expect(said).toContain("exit 0");
    expect(await apply("t1-instance", stack)).toContain("exit 0");
    expect(await status()).toContain("default/cfn-1: Current: status.state is Ready");
  };

  const objectThatExists = async (): Promise<void> => {
    expect(await apply("t2", resourceClaim(""))).toContain("exit 0");
    const claim = await corrected(
      "t2-instance",
      dbClaim(""),
      "schema.invalid-object",
      /Write `name: dbclaim1`/,
      lowerCaseName("DbClaim1"),
    );
    const waiting = await apply("t2-instance", claim, " --reconcile-timeout 1s");
    expect(waiting).toContain("warning[objects.uid-dropped]");
    expect(waiting).toContain("waits for a ResourceBinding that belongs to it");
    expect(waiting).toContain("exit 3");

    const named = await corrected(
      "k",
      binding(""),
      "schema.invalid-object",
      /Write `name: bindingfordbclaim1`/,
      lowerCaseName("BindingForDbClaim1"),
    );
    const owned = await corrected(
      "k",
      named,
      "live.absent-owner",
      /Write `name: (dbclaim1)` and `uid: (\S+)`/,
      (text, [, name = "", uid = ""]) =>
        text.replace("name: DbClaim1", `name: ${name}`).replace(seedUid, uid),
    );
    expect(await apply("k", owned)).toContain("exit 0");
    expect(await status()).toContain(
      "default/dbclaim1: Current: ResourceBinding bindingfordbclaim1 belongs to it",
    );
  };

  const outputNamedByItsHash = async (): Promise<void> => {
    expect(await apply("t2", resourceClaim(outputAnnotations))).toContain("exit 0");
    const claim = lowerCaseName("DbClaim1")(dbClaim(claimSpec));
    expect(await apply("t2-instance", claim)).toContain("exit 0");

    const owner = await world.look((cluster) =>
      cluster.get({ apiVersion, kind: "ResourceClaim", namespace, name: "dbclaim1" }),
    );
    const k = lowerCaseName("BindingForDbClaim1")(binding(bindingStatus))
      .replace("name: DbClaim1", "name: dbclaim1")
      .replace(seedUid, owner.metadata.uid ?? "");
    expect(await apply("k", k)).toContain("exit 0");
    await world.look(async (cluster) => {
      const found = await cluster.get({
        apiVersion,
        kind: "ResourceBinding",
        namespace,
        name: "bindingfordbclaim1",
      });
      // Not one digit is lost, although no double could hold it.
      expect(fieldAt(found, "status", "secretName")).toBe(231864817236487163n);
    });

    const named = await corrected(
      "o",
      secret,
      "objects.field-type",
      /Put the value in quotes: `(name: "231864817236487163")`/,
      (text, [, line = ""]) => text.replace("name: 231864817236487163", line),
    );
    const plain = await corrected(
      "o",
      named,
      "schema.not-base64",
      /write `(stringData:)` instead of `(data:)`/,
      (text, [, better = "", worse = ""]) => text.replace(`\n${worse}`, `\n${better}`),
    );
    const said = await apply("o", plain);
    expect(said).toContain("exit 0");
    expect(said).not.toContain("godsexlove");
    await world.look(async (cluster) => {
      const found = await cluster.get({
        apiVersion: "v1",
        kind: "Secret",
        namespace,
        name: "231864817236487163",
      });
      expect(found["data"]).toEqual({
        username: Buffer.from("admin").toString("base64"),
        password: Buffer.from("godsexlove").toString("base64"),
      });
    });
  };

  /** The same as its comments say. */
  const outputWithAFixedName = async (): Promise<void> => {
    const fixed = (text: string): string =>
      text
        .replace(/ {2}secretNameMode: ContentsHash\n/, "")
        .replace(/ {2}(?:secretN|n)ame: 231864817236487163.*\n/, "")
        .replaceAll(/^( *)# (secretName|secretNameMode|name): /gm, "$1$2: ");
    expect(
      await apply("t2-instance", lowerCaseName("DbClaim1")(fixed(dbClaim(claimSpec)))),
    ).toContain("exit 0");
    const owner = await world.look((cluster) =>
      cluster.get({ apiVersion, kind: "ResourceClaim", namespace, name: "dbclaim1" }),
    );
    expect(owner["spec"]).toEqual({ secretNameMode: "Fixed", secretName: "my-secret" });
    const k = lowerCaseName("BindingForDbClaim1")(fixed(binding(bindingStatus)))
      .replace("name: DbClaim1", "name: dbclaim1")
      .replace(seedUid, owner.metadata.uid ?? "");
    expect(k).toContain("secretName: my-secret");
    expect(await apply("k", k)).toContain("exit 0");
    const o = fixed(secret).replace("\ndata:", "\nstringData:");
    const said = await apply("o", o);
    expect(said).toContain("1 pruned");
    expect(said).toContain("exit 0");
    expect(await status()).not.toMatch(/InProgress|Failed/);
  };

  // Each section goes on with what the one before it has applied.
  it("the document on managing resources is carried out from top to bottom", async () => {
    await fieldThatEqualsAValue();
    await objectThatExists();
    await outputNamedByItsHash();
    await outputWithAFixedName();
  });
}

const seedUid = "038b49a6-e746-11e6-baf3-ee8d75af8f6e";

const cloudFormation = `apiVersion: extensions/v1beta1
description: Smith example AWS CloudFormation stack
kind: ThirdPartyResource
metadata:
  name: cloud-formation.smith.atlassian.com
  annotations:
    smith.atlassian.com/TprReadyWhenFieldPath: status.state
    smith.atlassian.com/TprReadyWhenFieldValue: Ready
versions:
- name: v1

`;

const stack = `apiVersion: smith.atlassian.com/v1
kind: CloudFormation
metadata:
  name: cfn-1
spec:
  ...
status:
  state: Ready
`;

const resourceClaim = (more: string): string => `apiVersion: extensions/v1beta1
description: Smith example Resource Claim
kind: ThirdPartyResource
metadata:
  name: resource-claim.smith.atlassian.com
  annotations:
    smith.atlassian.com/TprReadyWhenExistsKind: ResourceBinding
    smith.atlassian.com/TprReadyWhenExistsVersion: smith.atlassian.com/v1
${more}versions:
- name: v1

`;

const outputAnnotations = `    smith.atlassian.com/TprOutputNameModeField: spec.secretNameMode
    smith.atlassian.com/TprOutputNameSetterField: spec.secretName
    smith.atlassian.com/TprOutputNameField: status.secretName
`;

const dbClaim = (more: string): string => `apiVersion: smith.atlassian.com/v1
kind: ResourceClaim
metadata:
  name: DbClaim1
  uid: ${seedUid}
${more}`;

const claimSpec = `spec:
  secretNameMode: ContentsHash
  
  # Could be:
  # secretNameMode: Fixed
  # secretName: my-secret
`;

const binding = (more: string): string => `apiVersion: smith.atlassian.com/v1
kind: ResourceBinding
metadata:
  name: BindingForDbClaim1
  ownerReferences:
  - apiVersion: smith.atlassian.com/v1
    kind: ResourceClaim
    name: DbClaim1
    uid: ${seedUid}
${more}`;

const bindingStatus = `status:
  secretName: 231864817236487163 # hash of contents
  
  # For secretNameMode: Fixed:
  # secretName: my-secret
`;

const secret = `apiVersion: v1
kind: Secret
metadata:
  name: 231864817236487163

  # For secretNameMode: Fixed:
  # name: my-secret
data:
  username: admin
  password: godsexlove
type: Opaque
`;
