import { session } from '#ui/api/session.ts';

/** What an account likes (columns, tabs on or off), kept in this browser. Logout removes it with everything else. */
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
    // A full or closed storage only means that the choice is not remembered.
  }
}
