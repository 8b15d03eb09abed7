import { ActionIcon, Group, Textarea } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { fromShanghai } from '#domain/base/calendar.ts';
import { FollowMethod } from '#domain/base/enums.ts';
import { dueWords } from '#domain/followup/dueWords.ts';
import { nextDays } from '#domain/followup/series.ts';
import { conclusionOptions } from '#domain/warning/levels.ts';
import { useUser } from '#ui/api/session.ts';
import { WarningBadge } from '#ui/display/badges.tsx';
import { confirmLeave } from '#ui/feedback/confirm.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { MoreFields } from '#ui/form/MoreFields.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { finishFollowUp, type FollowUpRow } from '#features/care/care.contract.ts';
import { Choice } from '#features/care/screen/Choice.tsx';
import { NextField, nextTime } from '#features/care/screen/NextField.tsx';
import { PersonBar } from '#features/care/screen/PersonBar.tsx';
import { RetestPart } from '#features/care/screen/RetestPart.tsx';
import classes from './followup.module.css';

/** Sentences of a record that one taps; staff complete them in the text. */
const PHRASES: Readonly<Record<string, readonly string[]>> = {
  '02': ['情绪平稳', '睡眠饮食正常', '情绪有波动', '睡眠较差', '已告知求助方式', '家属支持好'],
  '04': ['电话无人接听', '号码停机或空号', '本人不愿交谈', '已请家属转达'],
};

interface Props {
  row: FollowUpRow;
  onClose: () => void;
  /** the neighbours in the list; undefined at its ends */
  previous?: (() => void) | undefined;
  next?: (() => void) | undefined;
}

/** Records a follow-up within a minute: how, what was found, the state, and how it goes on. */
export function RecordDrawer({ row, onClose, previous, next }: Props) {
  const { sector } = useUser();
  // The date that the level suggested; staff may have chosen another one since.
  const [suggestion, setSuggestion] = useState<string>();
  const form = useActionForm(finishFollowUp, {
    initial: { followupid: row.followupid, status: '02', method: row.method },
    onDone: onClose,
    successMessage: '已登记随访',
  });
  const { status, method, content, currentlevel, nextduetime, outcome } = form.values;
  const add = (phrase: string) => {
    const text = String(content ?? '').trimEnd();
    form.set('content', text === '' ? phrase : `${text}${/[，。；,.;]$/.test(text) ? '' : '，'}${phrase}`);
  };
  const chooseLevel = (value: string) => {
    const level = Number(value);
    form.set('currentlevel', level);
    const isOpen = row.iscaseopen === 0 && !row.nextplanned && outcome !== '02';
    if (!isOpen || (nextduetime && nextduetime !== suggestion)) return;
    const time = nextTime(nextDays(level), row.duetime.slice(11, 16));
    form.set('nextduetime', time);
    setSuggestion(time);
  };
  const move = (go: () => void) => () => {
    if (!form.dirty) go();
    else void confirmLeave().then((leaves) => leaves && go());
  };
  const due = fromShanghai(row.duetime);
  return (
    <FormDrawer title={`随访登记：${row.username}`} onClose={onClose} form={form} width={560}>
      <div className={classes['record']}>
        <div className={classes['head']}>
          <span>{[row.belongs, row.planname, `第 ${row.seq} 次`].filter(Boolean).join(' · ')}</span>
          <strong>{dueWords(due, row.isoverdue === 1, new Date())}</strong>
          {row.warninglevel !== null && <WarningBadge level={row.warninglevel} />}
        </div>
        <PersonBar row={row}>
          <span className={classes['moves']}>
            <ActionIcon variant="default" aria-label="上一条" disabled={!previous} onClick={previous && move(previous)}>
              <IconChevronLeft size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon variant="default" aria-label="下一条" disabled={!next} onClick={next && move(next)}>
              <IconChevronRight size={16} aria-hidden />
            </ActionIcon>
          </span>
        </PersonBar>
        <Choice
          label="结果"
          value={String(status)}
          options={[
            { value: '02', label: '已联系上' },
            { value: '04', label: '未能联系上' },
          ]}
          onChange={(value) => {
            form.set('status', value);
            if (value === '04') form.set('currentlevel', undefined);
          }}
        />
        <Choice
          label="随访方式"
          value={String(method)}
          options={FollowMethod.options}
          onChange={(value) => form.set('method', value)}
        />
        <div>
          <Textarea {...form.field('content')} autosize minRows={2} maxRows={10} maxLength={2000} />
          <Group gap={6} mt={6} role="group" aria-label="常用语">
            {(PHRASES[String(status)] ?? []).map((phrase) => (
              <button key={phrase} type="button" className={classes['phrase']} onClick={() => add(phrase)}>
                {phrase}
              </button>
            ))}
          </Group>
        </div>
        {status === '02' && (
          <Choice
            label="当前状态"
            value={currentlevel === undefined ? '' : String(currentlevel)}
            options={conclusionOptions(sector)}
            onChange={chooseLevel}
          />
        )}
        <NextField form={form} row={row} />
        {row.retestplan ? (
          <RetestPart row={row} />
        ) : (
          <MoreFields title="附带复测">
            <RetestPart row={row} />
          </MoreFields>
        )}
      </div>
    </FormDrawer>
  );
}
