import { type ConformanceCase, jsonStep } from "../case.ts";

const prepare = { prepare: true } as const;
const signing = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
/** A request for a certificate in the name of `u`, by a key that nobody has. */
const certificateRequest =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlISE1HNENBUUF3RERFS01BZ0dBMVVFQXd3QmRUQlpNQk1HQnlxR1NNNDlBZ0VHQ0NxR1NNNDlBd0VIQTBJQQpCTEd3SEJFSzBVUmdlbExKTUNTc2hSVkFud1VjYUUrcWxwb2t4Q3l4Q1JuRUdia3p5SThoQyt6dlNxSUNibzgyCnJqY3pJcmE1dnhQZEdJNXlqVEJuY0dHZ0FEQUtCZ2dxaGtqT1BRUURBZ05KQURCR0FpRUE0eEFIU2NUbFRaWmsKclhsNXB1eTNsQmdYaGN0cHZUNGFlR3Z3cUdINS9NSUNJUUMrMVFVV09DODJsUzR1TEVISlc4WWpzK3RBU2paVwpvZjlTWjZ6bTEza3U5UT09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=";

/** What a signer is asked for, and what is said to it. */
export const approvalCases: readonly ConformanceCase[] = [
  {
    name: "a request for a certificate is approved",
    steps: [
      jsonStep("POST", signing, signingRequest(), prepare),
      jsonStep(
        "PUT",
        `${signing}/{id}/approval`,
        {
          ...signingRequest(),
          status: {
            conditions: [{ type: "Approved", status: "True", reason: "Fine", message: "m" }],
          },
        },
        { keep: ["kind", "status"] },
      ),
      jsonStep("GET", `${signing}/none-{id}/approval`),
      jsonStep("DELETE", `${signing}/{id}`, undefined, prepare),
    ],
  },
];

function signingRequest(): object {
  return {
    apiVersion: "certificates.k8s.io/v1",
    kind: "CertificateSigningRequest",
    metadata: { name: "{id}" },
    spec: {
      signerName: "example.com/nobody",
      usages: ["client auth"],
      request: certificateRequest,
    },
  };
}
