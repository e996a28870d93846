const words = `
options head post put delete trace accept accept-charset accept-encoding accept-language
accept-ranges age allow authorization cache-control connection content-base content-encoding
content-language content-length content-location content-md5 content-range content-type date etag
expect expires from host if-match if-modified-since if-none-match if-range if-unmodified-since
last-modified location max-forwards pragma proxy-authenticate proxy-authorization range referer
retry-after server te trailer transfer-encoding upgrade user-agent vary via warning
www-authenticate method get status 200_OK version HTTP/1.1 url public set-cookie keep-alive origin
`;

const codes =
  "100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505";

const phrases = [
  "203 Non-Authoritative Information",
  "204 No Content",
  "301 Moved Permanently",
  "400 Bad Request",
  "401 Unauthorized",
  "403 Forbidden",
  "404 Not Found",
  "500 Internal Server Error",
  "501 Not Implemented",
  "503 Service Unavailable",
  "Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec ",
  "00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMT",
  "chunked,text/html,image/png,image/jpg,image/gif,",
  "application/xml,application/xhtml+xml,text/plain,text/javascript,public",
  "privatemax-age=gzip,deflate,sdch",
  "charset=utf-8charset=iso-8859-1,utf-,*,enq=0.",
];

/**
 * What both sides of SPDY/3 know before they compress their first header: common words, each after
 * its length, and then common values.
 */
export function headerDictionary(): Buffer {
  const parts: Buffer[] = [];
  for (const word of words.trim().split(/\s+/)) {
    const text = Buffer.from(word.replace("_", " "));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    parts.push(length, text);
  }
  return Buffer.concat([...parts, Buffer.from(codes + phrases.join(""))]);
}
