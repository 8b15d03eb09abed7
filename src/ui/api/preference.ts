import { session } from '#ui/api/session.ts';

/** A preference of an account (columns, tabs on or off), stored in this browser. Logout removes it. */
const nameOf = (key: string) => `prefer.${session().user?.musercode ?? ''}.${session().user?.userid ?? ''}.${key}`;

export function readPreference<T>(key: string): T | undefined {
  try {
    return JSON.parse(localStorage.getItem(nameOf(key)) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

export function savePreference(key: string, value: unknown): void {
  try {
    localStorage.setItem(nameOf(key), JSON.stringify(value));
  } catch {
    // If the storage is full or closed, the browser only forgets the choice.
  }
}
