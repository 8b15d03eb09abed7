import { Combobox, TextInput, Textarea, useCombobox } from '@mantine/core';
import { useEffect, useState, type ChangeEvent } from 'react';
import { useUser } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { matchesWords, useToPinyin } from '#ui/display/pinyin.ts';
import type { ActionForm } from '#ui/form/useActionForm.ts';
import type { insertWarningLog } from '#features/warning/handling/handling.contract.ts';
import { getWarningStaffList } from '#features/warning/duty/duty.contract.ts';
import classes from '#features/warning/warning.module.css';

/** Most colleagues in the list at once. */
const MOST = 6;

interface Props {
  /** its `content` is the text, its `mentions` the colleagues that the text names */
  form: ActionForm<typeof insertWarningLog>;
  /** several lines */
  long?: boolean;
  label?: string | undefined;
  placeholder: string;
}

/** The name that is being typed before the caret: `from` is the place after its @. */
const typedName = (text: string, caret: number): { from: number; words: string } | undefined => {
  const words = /(?:^|[^A-Za-z0-9])@([^\s@，。；、]{0,12})$/u.exec(text.slice(0, caret))?.[1];
  return words === undefined ? undefined : { from: caret - words.length, words };
};

/** Returns the ids of the names that stand in the text after an @. “@陈静怡” does not name 陈静. */
function mentionedIn(text: string, names: Readonly<Record<string, string>>): string[] {
  let rest = text;
  return Object.entries(names)
    .sort(([, a], [, b]) => b.length - a.length)
    .flatMap(([userid, name]) => {
      const isNamed = rest.includes(`@${name}`);
      rest = rest.replaceAll(`@${name}`, '');
      return isNamed ? [userid] : [];
    });
}

/** A text in which @ offers the colleagues who may handle the case, by name or Pinyin. The arrow keys choose, Enter takes. */
export function MentionInput({ form, long, label, placeholder }: Props) {
  const { warningcode, content: value = '' } = form.values;
  const combobox = useCombobox();
  const { openDropdown, closeDropdown, selectFirstOption } = combobox;
  const [typed, setTyped] = useState<{ from: number; words: string }>();
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const [isUsed, setIsUsed] = useState(false);
  const { data } = useActionQuery(getWarningStaffList, isUsed && warningcode ? { warningcode } : undefined, { quiet: true });
  const toPinyin = useToPinyin(typed?.words ?? '');
  const { userid: ownid } = useUser();
  const options = typed
    ? (data ?? [])
        .filter(({ userid, realname }) => userid !== ownid && matchesWords(realname, typed.words, toPinyin))
        .slice(0, MOST)
    : [];

  const offered = options.map(({ userid }) => userid).join();
  useEffect(() => {
    if (offered === '') return closeDropdown();
    openDropdown();
    selectFirstOption();
  }, [offered, openDropdown, closeDropdown, selectFirstOption]);

  const write = (text: string, names = chosen) => {
    form.set('content', text);
    form.set('mentions', mentionedIn(text, names));
  };
  const type = ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
    const { value: text, selectionStart } = currentTarget;
    write(text);
    const next = typedName(text, selectionStart ?? text.length);
    setTyped(next);
    if (next) setIsUsed(true);
  };
  const take = (userid: string) => {
    const colleague = options.find((item) => item.userid === userid);
    if (!typed || !colleague) return;
    const names = { ...chosen, [userid]: colleague.realname };
    setChosen(names);
    write(`${value.slice(0, typed.from)}${colleague.realname} ${value.slice(typed.from + typed.words.length)}`, names);
    setTyped(undefined);
  };
  const props = {
    value,
    onChange: type,
    onBlur: () => setTyped(undefined),
    error: form.error('content'),
    label,
    'aria-label': label ? undefined : placeholder,
    placeholder: `${placeholder}；输入 @ 提到同事`,
    maxLength: 2000,
    'data-path': 'content',
  };
  return (
    <div>
      <Combobox store={combobox} onOptionSubmit={take} withinPortal>
        <Combobox.Target>
          {long ? <Textarea {...props} required autosize minRows={3} maxRows={12} /> : <TextInput {...props} />}
        </Combobox.Target>
        <Combobox.Dropdown>
          <Combobox.Options aria-label="可以提到的同事">
            {options.map(({ userid, realname, onduty, post }) => (
              <Combobox.Option key={userid} value={userid} className={classes['colleague'] ?? ''}>
                {[realname, onduty ? '值班' : '', post].filter(Boolean).join(' · ')}
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
    </div>
  );
}
