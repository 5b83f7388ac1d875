/**
 * A strategy as a service, in TypeScript: a `junto.v1.StrategyService` over gRPC.
 *
 *   node examples/typescript_service/built/server.js 7001
 *   junto tournament run --game whist --strategies greedy,grpc://127.0.0.1:7001 --deals 50 --seed 7 --out DIR
 *
 * It needs Node alone: gRPC is spoken by hand on Node's HTTP/2, so that it runs without installing anything. A project
 * of your own does better with `@grpc/grpc-js` or `@connectrpc/connect-node` and generated messages: then `answer` is
 * all that is left of this file. https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
 */

import { createServer, type ServerHttp2Stream } from "node:http2";

import { Message, bytesField, joined } from "./protobuf.js";
import { GAMES, choose } from "./strategy.js";

const SERVICE = "/junto.v1.StrategyService/";
const OK = 0;
const UNIMPLEMENTED = 12;
const INTERNAL = 13;

/** Return the answer to a request, as bytes of their messages; undefined: there is no such method. */
function answer(method: string, request: Uint8Array): Uint8Array | undefined {
  switch (method) {
    case "DescribeStrategy":
      return bytesField(1, joined(bytesField(1, "high-low"), bytesField(2, "High and low"), bytesField(3, "1"),
        ...GAMES.map((game) => bytesField(4, game))));
    case "Decide": {
      const prompt = new Message(request).message(5);
      return bytesField(1, bytesField(1, choose(prompt.message(6))));
    }
    default:
      return undefined;
  }
}

/** Answer one call: a message is five bytes (not compressed, its length), then itself; the status comes at the end. */
function serve(stream: ServerHttp2Stream, path: string): void {
  const parts: Buffer[] = [];
  stream.on("data", (part: Buffer) => parts.push(part));
  stream.on("end", () => {
    let status = OK;
    let sentence = "";
    let told: Uint8Array | undefined;
    try {
      told = answer(path.replace(SERVICE, ""), Buffer.concat(parts).subarray(5));
      status = told ? OK : UNIMPLEMENTED;
    } catch (problem) {
      status = INTERNAL;
      sentence = String(problem);
    }
    stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
    stream.on("wantTrailers", () =>
      stream.sendTrailers({ "grpc-status": String(status), "grpc-message": encodeURIComponent(sentence) }),
    );
    stream.end(told ? framed(told) : undefined);
  });
  stream.on("error", () => stream.close());
}

function framed(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

const server = createServer();
server.on("stream", (stream, headers) => serve(stream, String(headers[":path"])));
server.listen(Number(process.argv[2] ?? 7001), "127.0.0.1", () => {
  const address = server.address();
  console.log(`listening at 127.0.0.1:${typeof address === "object" && address ? address.port : ""}`);
});
