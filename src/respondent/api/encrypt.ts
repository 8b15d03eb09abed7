/**
 * Sealing what a page keeps on the device: AES-256-GCM under a key derived with HKDF from a secret only the signed-in person's
 * page has.
 */

/** A sealed text with the moment it was sealed (ms since 1970), which is not secret: old ones are swept away unread. */
export interface Encrypted {
  at: number;
  iv: string;
  data: string;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);
const toBase64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

/**
 * The key for one entry link; a draft of another link or another person does not open with it. Undefined where the browser has
 * no WebCrypto (a page that did not come over https): then nothing is kept on the device, rather than kept in the clear.
 */
export async function deriveKey(secret: string, clientcode: string): Promise<CryptoKey | undefined> {
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;
  if (!subtle || secret === '') return undefined;
  try {
    const material = await subtle.importKey('raw', bytesOf(secret), 'HKDF', false, ['deriveKey']);
    const derivation = { name: 'HKDF', hash: 'SHA-256', salt: bytesOf('respondent draft'), info: bytesOf(clientcode) };
    return await subtle.deriveKey(derivation, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  } catch {
    return undefined;
  }
}

/** Seals a text for one place; it opens only with the same key and place. */
export async function encrypt(key: CryptoKey, place: string, text: string, at: number): Promise<Encrypted> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: bytesOf(place) }, key, bytesOf(text));
  return { at, iv: toBase64(iv), data: toBase64(new Uint8Array(data)) };
}

/** The text, or undefined when it was sealed with another key, for another place, or was altered. */
export async function decrypt(key: CryptoKey, place: string, sealed: Encrypted): Promise<string | undefined> {
  try {
    const plain = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: fromBase64(sealed.iv), additionalData: bytesOf(place) },
      key,
      fromBase64(sealed.data),
    );
    return new TextDecoder().decode(plain);
  } catch {
    return undefined;
  }
}
