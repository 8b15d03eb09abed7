import { Button } from '@mantine/core';
import { Section } from '#ui/display/Section.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { call } from '#ui/api/call.ts';
import { useActionMutation } from '#ui/api/useAction.ts';
import { notifyWithUndo } from '#ui/feedback/undo.tsx';
import { CallPerson } from '#features/warning/note/CallPerson.tsx';
import { MentionInput } from '#features/warning/note/MentionInput.tsx';
import { insertWarningLog, withdrawContactTry } from '#features/warning/handling/handling.contract.ts';
import type { Step } from '#features/warning/handling/StepDrawer.tsx';
import type { WarningDetail } from '#features/warning/warning.contract.ts';
import classes from '#features/warning/warning.module.css';

interface Props {
  detail: WarningDetail;
  /** false after a death: nobody is called any more */
  isAlive: boolean;
  startStep: (step: Step) => void;
}

/**
 * A note of one line, and a call that nobody answered with one tap. Both are lines of the case log. They carry no version, because
 * a note of a colleague never stands against another note. A tap by mistake is taken back in its message.
 */
export function QuickNote({ detail, isAlive, startStep }: Props) {
  const { warningcode, cuserid, state } = detail;
  const empty = { warningcode, action: '备注', content: '', mentions: [] as string[] } as const;
  const form = useActionForm(insertWarningLog, {
    initial: empty,
    onDone: () => {
      form.start(empty);
      form.place.current?.querySelector('input')?.focus();
    },
    successMessage: '已记下',
  });
  const unanswered = useActionMutation(insertWarningLog, {
    onDone: ({ version }) =>
      notifyWithUndo('已记下：电话没打通。请换一种方式再联系。', () => call(withdrawContactTry, { warningcode, version })),
  });
  const isOpen = state !== '07' && state !== '08';
  return (
    <div data-noprint>
      <Section title="快速记录">
        <form ref={form.place} onSubmit={form.submit} className={classes['note']} noValidate>
          <MentionInput form={form} placeholder="写一句备注" />
          <Button type="submit" variant="default" loading={form.busy}>
            记下
          </Button>
        </form>
        {isOpen && isAlive && (
          <div className={classes['doing']}>
            <CallPerson cuserid={cuserid} />
            <Button
              variant="default"
              loading={unanswered.isPending}
              onClick={() => unanswered.mutate({ warningcode, action: '联系尝试', channel: '01', content: '电话没打通' })}
            >
              电话没打通
            </Button>
            <Button variant="default" onClick={() => startStep({ kind: state === '02' ? 'verify' : 'log' })}>
              电话打通了…
            </Button>
          </div>
        )}
      </Section>
    </div>
  );
}
