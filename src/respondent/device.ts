import { newUuid } from '#domain/base/uuid.ts';

/** Functions of the device that a browser may refuse. The browsers inside chat apps refuse many of them. */

let isKeeping = true;
/** Lets this page store nothing from now on: the preview leaves no trace. */
export const keepNothing = (): void => void (isKeeping = false);

/** Returns the storage of the tab, or undefined where the browser forbids it. */
export function tabStorage(): Storage | undefined {
  try {
    return isKeeping ? window.sessionStorage : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the lasting storage of the device, or undefined where the browser forbids it. */
export function deviceStorage(): Storage | undefined {
  try {
    return isKeeping ? window.localStorage : undefined;
  } catch {
    return undefined;
  }
}

const devicePlace = 'respondent.device';
let deviceOfPage: string | undefined;

/** Returns the random name of this device. Where the browser stores nothing, it lasts as long as the page. */
export function readDevice(): string {
  deviceOfPage ??= deviceStorage()?.getItem(devicePlace) ?? newUuid();
  try {
    deviceStorage()?.setItem(devicePlace, deviceOfPage);
  } catch {
    // A reload counts as another device: the exam goes on at the next question.
  }
  return deviceOfPage;
}

/** The reading preferences. They are not personal data, so they may stay on the device. */
export interface View {
  large: boolean;
  /** a whole form on one page instead of one question per screen */
  whole: boolean;
  /** the page reads every question aloud */
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
    // The choice lasts until the page is closed.
  }
}

export const canSpeak = (): boolean => 'speechSynthesis' in window && 'SpeechSynthesisUtterance' in window;

/** Reads a text aloud and interrupts the text before. */
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
