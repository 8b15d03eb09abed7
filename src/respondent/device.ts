/** What the browser may or may not allow; the browsers inside chat apps refuse many of these. */

/** The device's lasting storage, or undefined where it is forbidden. */
export function deviceStorage(): Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}

/** A version 4 UUID; `crypto.randomUUID` is missing in older browsers and on pages without https. */
export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 15) | 64;
  bytes[8] = ((bytes[8] ?? 0) & 63) | 128;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** How the person likes to read; nothing personal, so it may stay on the device. */
export interface View {
  large: boolean;
  /** a whole form on one page instead of one question per screen */
  whole: boolean;
  /** every question is read aloud */
  aloud: boolean;
}

const place = 'respondent.view';

export function readView(): View {
  const plain: View = { large: false, whole: false, aloud: false };
  try {
    return { ...plain, ...(JSON.parse(deviceStorage()?.getItem(place) ?? '{}') as Partial<View>) };
  } catch {
    return plain;
  }
}

export function saveView(view: View): void {
  try {
    deviceStorage()?.setItem(place, JSON.stringify(view));
  } catch {
    // the choice lasts until the page is closed
  }
}

export const canSpeak = (): boolean => 'speechSynthesis' in window && 'SpeechSynthesisUtterance' in window;

/** Reads a text aloud; a new text interrupts the one before. */
export function speak(text: string): void {
  if (!canSpeak()) return;
  window.speechSynthesis.cancel();
  const words = new SpeechSynthesisUtterance(text);
  words.lang = 'zh-CN';
  words.rate = 0.95;
  window.speechSynthesis.speak(words);
}

export function stopSpeaking(): void {
  if (canSpeak()) window.speechSynthesis.cancel();
}
