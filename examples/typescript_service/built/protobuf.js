/**
 * As much of Protocol Buffers as this example needs: fields by number, read and written.
 *
 * A project of your own has this generated from `proto/junto/v1/*.proto` (`buf generate`, ts-proto, protobuf-es).
 * https://protobuf.dev/programming-guides/encoding/
 */
const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;
/** The fields of a message: numbers are `bigint`, texts, messages and packed lists are bytes. */
export class Message {
    fields = new Map();
    constructor(bytes = new Uint8Array()) {
        let at = 0;
        while (at < bytes.length) {
            const [key, afterKey] = varint(bytes, at);
            const [value, next] = field(bytes, afterKey, Number(key & 7n));
            const number = Number(key >> 3n);
            this.fields.set(number, [...(this.fields.get(number) ?? []), value]);
            at = next;
        }
    }
    /** Whether a field is there. A message that is there may be empty. */
    has(number) {
        return this.fields.has(number);
    }
    /** The message in a field; of several all in one, as the encoding has it; an empty one if there is none. */
    message(number) {
        const values = this.fields.get(number) ?? [];
        return new Message(joined(...values.filter((value) => value instanceof Uint8Array)));
    }
    /** The bytes of a field, as they came. */
    bytes(number) {
        const value = this.fields.get(number)?.[0];
        return value instanceof Uint8Array ? value : new Uint8Array();
    }
    /** A number, 0 if it is absent. */
    number(number) {
        return this.numbers(number)[0] ?? 0;
    }
    /** The numbers of a repeated field, packed or not. */
    numbers(number) {
        return (this.fields.get(number) ?? []).flatMap((value) => value instanceof Uint8Array ? unpacked(value) : [Number(value)]);
    }
}
/** A number as a field. */
export function numberField(number, value) {
    return joined(written(BigInt((number << 3) | VARINT)), written(BigInt(value)));
}
/** Bytes, a text or a message as a field. */
export function bytesField(number, value) {
    const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
    return joined(written(BigInt((number << 3) | BYTES)), written(BigInt(bytes.length)), bytes);
}
/** Some bytes after others. */
export function joined(...parts) {
    return new Uint8Array(Buffer.concat(parts));
}
function field(bytes, at, kind) {
    switch (kind) {
        case VARINT:
            return varint(bytes, at);
        case BYTES: {
            const [length, start] = varint(bytes, at);
            const end = start + Number(length);
            return [bytes.subarray(start, end), end];
        }
        case FIXED64:
            return [bytes.subarray(at, at + 8), at + 8];
        case FIXED32:
            return [bytes.subarray(at, at + 4), at + 4];
        default:
            throw new Error(`a field of kind ${kind}`);
    }
}
function varint(bytes, at) {
    let value = 0n;
    for (let shift = 0n;; shift += 7n) {
        const byte = bytes[at++];
        if (byte === undefined) {
            throw new Error("a number that does not end");
        }
        value |= BigInt(byte & 0x7f) << shift;
        if (byte < 0x80) {
            return [value, at];
        }
    }
}
function unpacked(bytes) {
    const values = [];
    let at = 0;
    while (at < bytes.length) {
        const [value, next] = varint(bytes, at);
        values.push(Number(value));
        at = next;
    }
    return values;
}
function written(value) {
    const bytes = [];
    let rest = value;
    do {
        bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
        rest >>= 7n;
    } while (rest > 0n);
    return Uint8Array.from(bytes);
}
