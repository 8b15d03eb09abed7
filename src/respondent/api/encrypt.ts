/**
 * Encryption of drafts on the device: AES-256-GCM. HKDF derives the key from a secret that only the signed-in person's page has.
 */

/**
 * An encrypted text. `at` is the time of encryption (ms since 1970); it is readable, so that old drafts can be deleted without a
 * key.
 */
export interface Encrypted {
  at: number;
  iv: string;
  data: string;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);
const toBase64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

/**
 * Derives the key for one entry link and one person. It decrypts no draft of another link or person. Returns undefined where the
 * browser has no WebCrypto (a page without https): then the device stores no draft at all.
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

/** Derives the keys that may have encrypted older drafts of a person. A tab from before an update of the server has no secrets. */
export async function deriveOldKeys(
  identity: { olddraftsecrets?: readonly string[] } | undefined,
  clientcode: string,
): Promise<CryptoKey[]> {
  const keys = await Promise.all((identity?.olddraftsecrets ?? []).map((secret) => deriveKey(secret, clientcode)));
  return keys.filter((key) => key !== undefined);
}

/** Encrypts a text for one storage place. Decryption needs the same key and place. */
export async function encrypt(key: CryptoKey, place: string, text: string, time: number): Promise<Encrypted> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: bytesOf(place) }, key, bytesOf(text));
  return { at: time, iv: toBase64(iv), data: toBase64(new Uint8Array(data)) };
}

/** Returns the text, or undefined when the key or place differs or the data was altered. */
export async function decrypt(key: CryptoKey, place: string, encrypted: Encrypted): Promise<string | undefined> {
  try {
    const plain = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: fromBase64(encrypted.iv), additionalData: bytesOf(place) },
      key,
      fromBase64(encrypted.data),
    );
    return new TextDecoder().decode(plain);
  } catch {
    return undefined;
  }
}
