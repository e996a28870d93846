import { expect, it } from "vitest";
import { proxyFor } from "./proxy-for.ts";

const proxy = "http://proxy:3128";

it.each([
  ["https://api.example.com", {}, undefined],
  ["https://api.example.com", { HTTPS_PROXY: proxy }, proxy],
  ["https://api.example.com", { https_proxy: "proxy:3128" }, proxy],
  ["http://api.example.com", { HTTPS_PROXY: proxy }, undefined],
  ["http://api.example.com", { HTTP_PROXY: proxy }, proxy],
  ["https://127.0.0.1:6443", { HTTPS_PROXY: proxy }, undefined],
  ["https://localhost:6443", { HTTPS_PROXY: proxy }, undefined],
  ["https://[::1]:6443", { HTTPS_PROXY: proxy }, undefined],
  ["https://api.example.com", { HTTPS_PROXY: proxy, NO_PROXY: "*" }, undefined],
  [
    "https://api.example.com",
    { HTTPS_PROXY: proxy, NO_PROXY: "other.com, example.com" },
    undefined,
  ],
  ["https://example.com", { HTTPS_PROXY: proxy, NO_PROXY: ".example.com" }, proxy],
  ["https://api.example.com", { HTTPS_PROXY: proxy, NO_PROXY: ".example.com" }, undefined],
  ["https://notexample.com", { HTTPS_PROXY: proxy, NO_PROXY: "example.com" }, proxy],
  ["https://api.example.com:6443", { HTTPS_PROXY: proxy, NO_PROXY: "example.com:443" }, proxy],
  ["https://api.example.com:6443", { HTTPS_PROXY: proxy, NO_PROXY: "example.com:6443" }, undefined],
  ["https://10.1.2.3", { HTTPS_PROXY: proxy, NO_PROXY: "10.0.0.0/8" }, undefined],
  ["https://11.1.2.3", { HTTPS_PROXY: proxy, NO_PROXY: "10.0.0.0/8" }, proxy],
  ["https://10.1.2.3", { HTTPS_PROXY: proxy, no_proxy: "10.1.2.3" }, undefined],
  ["https://[fd00::1]", { HTTPS_PROXY: proxy, NO_PROXY: "fd00::/8" }, undefined],
  ["https://10.1.2.3", { HTTPS_PROXY: proxy, NO_PROXY: "10.0.0.0/99,junk/x" }, proxy],
])("%s with %j goes through %s", (server, env, expected) => {
  expect(proxyFor(server, env)).toBe(expected);
});
