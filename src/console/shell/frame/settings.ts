import { useState } from 'react';
import { savePreference, readPreference } from '#ui/api/preference.ts';

export interface ShellSettings {
  /** Shows the strip of visited views; off by default (specification). */
  tabs: boolean;
  /** Shows the menu along the top. */
  top: boolean;
  change: (next: Partial<{ tabs: boolean; top: boolean }>) => void;
}

/** An account's settings of the frame, stored per account. */
export function useShellSettings(): ShellSettings {
  const [settings, setSettings] = useState(() => ({
    tabs: false,
    top: true,
    ...readPreference<Partial<{ tabs: boolean; top: boolean }>>('shell'),
  }));
  return {
    ...settings,
    change: (next) => {
      const now = { ...settings, ...next };
      setSettings(now);
      savePreference('shell', now);
    },
  };
}

const SIDEBAR = 'sidebarStatus';
/** Whether the sidebar is open, stored in a cookie as 1 or 0 (specification section 4). */
export const readSidebarOpen = (): boolean => !document.cookie.split('; ').includes(`${SIDEBAR}=0`);
export const saveSidebarOpen = (open: boolean): void => {
  document.cookie = `${SIDEBAR}=${open ? 1 : 0}; Path=/; SameSite=Strict; Max-Age=31536000`;
};
