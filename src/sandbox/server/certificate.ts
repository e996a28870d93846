import { type KeyObject, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { der } from "./der.ts";

/** A certificate authority with one server certificate for loopback, in PEM. */
export interface Certificates {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

const years = 10;
const hostNames = ["localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"];
const addresses = [Buffer.from([127, 0, 0, 1]), Buffer.from([...new Uint8Array(15), 1])];

/** Makes a new authority and a server certificate of it. */
export function makeCertificates(now: number): Certificates {
  const authority = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const server = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const issuer = "keelson-sandbox-ca";
  const signedBy = { issuer, key: authority.privateKey, now };
  return {
    authority: certificate(signedBy, issuer, authority.publicKey, [
      extension("2.5.29.19", der.sequence(der.boolean(true))),
      // Signing of certificates and nothing else.
      extension("2.5.29.15", der.bits(Buffer.from([0x04]), 2)),
    ]),
    certificate: certificate(signedBy, "keelson-sandbox", server.publicKey, [
      extension("2.5.29.19", der.sequence()),
      extension("2.5.29.15", der.bits(Buffer.from([0x80]), 7)),
      extension("2.5.29.37", der.sequence(der.identifier("1.3.6.1.5.5.7.3.1")), false),
      extension("2.5.29.17", alternativeNames(), false),
    ]),
    key: String(server.privateKey.export({ type: "pkcs8", format: "pem" })),
  };
}

interface Signer {
  readonly issuer: string;
  readonly key: KeyObject;
  readonly now: number;
}

const ecdsaWithSha256 = der.sequence(der.identifier("1.2.840.10045.4.3.2"));

function certificate(
  signer: Signer,
  subject: string,
  publicKey: KeyObject,
  extensions: readonly Buffer[],
): string {
  const content = der.sequence(
    der.explicit(0, der.integer(Buffer.from([2]))),
    der.integer(randomBytes(16)),
    ecdsaWithSha256,
    commonName(signer.issuer),
    der.sequence(
      der.time(new Date(signer.now - 60_000)),
      der.time(new Date(signer.now + years * 365 * 24 * 3_600_000)),
    ),
    commonName(subject),
    publicKey.export({ type: "spki", format: "der" }),
    der.explicit(3, der.sequence(...extensions)),
  );
  const signature = sign("sha256", content, signer.key);
  return pem("CERTIFICATE", der.sequence(content, ecdsaWithSha256, der.bits(signature)));
}

function commonName(name: string): Buffer {
  return der.sequence(der.set(der.sequence(der.identifier("2.5.4.3"), der.text(name))));
}

function extension(identifier: string, value: Buffer, critical = true): Buffer {
  const marks = critical ? [der.boolean(true)] : [];
  return der.sequence(der.identifier(identifier), ...marks, der.octets(value));
}

function alternativeNames(): Buffer {
  return der.sequence(
    ...hostNames.map((name) => der.implicit(2, Buffer.from(name))),
    ...addresses.map((address) => der.implicit(7, address)),
  );
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}
