import { useEffect, useEffectEvent, useState } from 'react';
import { readPreference, savePreference } from '#ui/api/preference.ts';

type Values = Readonly<Record<string, unknown>>;

/** What was typed and is not saved yet: the changed fields, and the version from which they were changed. */
interface LocalCopy {
  version: number | undefined;
  values: Values;
}

/** A pause in typing after which the browser stores the copy, in milliseconds. */
const PAUSE = 300;

const isSame = (a: unknown, b: unknown) => JSON.stringify(a ?? '') === JSON.stringify(b ?? '');

interface CopiedForm {
  values: Values;
  dirty: boolean;
  set: (name: never, value: unknown) => void;
  start: (values: never) => void;
}

/**
 * Stores what the form holds in this browser under the account's name until it is saved, and brings it back after a reload. Signing
 * out removes it. The version of the copy goes with it: when another person saved meanwhile, saving compares field by field.
 */
export function useLocalCopy(form: CopiedForm, key: string, saved: Values) {
  const [found] = useState(() => readPreference<LocalCopy>(key));
  const [isRestored, setIsRestored] = useState(false);
  const restore = useEffectEvent(() => {
    if (!found) return;
    const changed = Object.entries(found.values).filter(([name, value]) => !isSame(value, saved[name]));
    if (changed.length === 0) return;
    for (const [name, value] of changed) form.set(name as never, value);
    if (found.version !== undefined) form.set('version' as never, found.version);
    setIsRestored(true);
  });
  useEffect(() => restore(), []);

  const store = useEffectEvent(() => {
    const { version, ...values } = form.values;
    const changed = Object.fromEntries(Object.entries(values).filter(([name, value]) => !isSame(value, saved[name])));
    savePreference(key, form.dirty ? ({ version: version as number | undefined, values: changed } satisfies LocalCopy) : null);
  });
  const { values, dirty } = form;
  useEffect(() => {
    if (!dirty) return store();
    const timer = setTimeout(() => store(), PAUSE);
    return () => clearTimeout(timer);
  }, [values, dirty]);

  return {
    /** The form holds what an earlier visit typed. */
    isRestored,
    /** The other person's saves since then, if any. */
    isOutdated: isRestored && found?.version !== saved['version'],
    hideNotice: () => setIsRestored(false),
    /** Forgets the copy and shows what is saved. */
    discard: () => {
      // A field that the saved values lack, such as a new cover.
      for (const name of Object.keys(form.values)) if (!(name in saved)) form.set(name as never, undefined);
      form.start(saved as never);
      savePreference(key, null);
      setIsRestored(false);
    },
  };
}
