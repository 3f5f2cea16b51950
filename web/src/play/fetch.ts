// What the page loads is packed, so that any static server sends it small; some
// servers unpack it on the way.

export async function unpack(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const packed = new Blob([bytes as BlobPart]).stream();
  const plain = packed.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}

export async function fetchUnpacked(name: string): Promise<Uint8Array> {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return unpack(new Uint8Array(await response.arrayBuffer()));
}
