import { Button, Checkbox, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { Section } from '#ui/display/Section.tsx';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { can } from '#ui/api/session.ts';
import { useUnsaved } from '#ui/router/unsaved.ts';
import { getConsultNote, saveConsultNote } from '#features/consult/note/note.contract.ts';
import { getConsultDetail, type ConsultDetail } from '#features/consult/register/register.contract.ts';
import classes from './consult.module.css';

/** 个别咨询记录: its counsellor reads and writes it; each reading is audited, so it opens on demand. Others see that it is private. */
export function NoteSection({ consult }: { consult: ConsultDetail }) {
  const [isOpen, setIsOpen] = useState(false);
  if (consult.counsellor === null || !can(saveConsultNote)) return null;
  if (!consult.isown && !consult.hasnote)
    return (
      <Section title="个别咨询记录">
        <p className={classes['quiet']}>仅咨询师本人可见，其他人（包括管理员）打开都会被拒绝并告知咨询师。</p>
      </Section>
    );
  return (
    <Section title="个别咨询记录" right={<span className={classes['quiet']}>仅您本人可见</span>}>
      {isOpen ? (
        <OwnNote consult={consult} close={() => setIsOpen(false)} />
      ) : (
        <Button variant="default" size="sm" onClick={() => setIsOpen(true)}>
          {consult.hasnote ? '打开记录' : '填写记录'}
        </Button>
      )}
    </Section>
  );
}

/** The note as its counsellor reads it. Without a note there is nothing to read. */
function OwnNote({ consult, close }: { consult: ConsultDetail; close: () => void }) {
  const { consultid, hasnote } = consult;
  const read = useActionQuery(getConsultNote, hasnote ? { consultid } : undefined);
  if (!hasnote) return <NoteForm consultid={consultid} note="" isshared={0} updatetime={null} close={close} />;
  return (
    <Loaded read={read} skeleton={<Skeletons.Lines />}>
      {(note) =>
        consult.isown ? (
          <NoteForm key={note.updatetime} consultid={consultid} {...note} close={close} />
        ) : (
          <PassedNote note={note.note} close={close} />
        )
      }
    </Loaded>
  );
}

/** The note of a colleague that passed on with the person: to read only. */
function PassedNote({ note, close }: { note: string; close: () => void }) {
  return (
    <Stack gap="sm">
      <Text size="xs" c="dimmed">
        前任咨询师随案移交给您的记录，只能查看。
      </Text>
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {note}
      </Text>
      <Group>
        <Button size="sm" variant="default" onClick={close}>
          收起
        </Button>
      </Group>
    </Stack>
  );
}

interface NoteFormProps {
  consultid: number;
  note: string;
  isshared: number;
  updatetime: string | null;
  close: () => void;
}

function NoteForm({ consultid, note, isshared, updatetime, close }: NoteFormProps) {
  const [text, setText] = useState(note);
  const [isShared, setIsShared] = useState(isshared === 1);
  const isChanged = text !== note || isShared !== (isshared === 1);
  useUnsaved(isChanged);
  const save = useActionMutation(saveConsultNote, {
    invalidates: [getConsultNote, getConsultDetail],
    successMessage: '已保存，仅您本人可见',
    onDone: close,
  });
  return (
    <Stack gap="sm">
      <Textarea
        aria-label="个别咨询记录"
        placeholder="印象、假设、下次想谈的内容……内容加密保存，不进入导出、报告和个案"
        autosize
        minRows={5}
        maxRows={18}
        maxLength={10_000}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div>
        <Checkbox label="随案移交" checked={isShared} onChange={(event) => setIsShared(event.currentTarget.checked)} />
        <Text size="xs" c="dimmed" mt={4}>
          勾选后，由其他咨询师接手这位受测者时，记录一并移交；不勾选则始终只有您能看。
        </Text>
      </div>
      <Group gap="xs">
        <Button
          size="sm"
          loading={save.isPending}
          disabled={!isChanged}
          onClick={() => save.mutate({ consultid, note: text, isshared: isShared ? 1 : 0, updatetime })}
        >
          保存记录
        </Button>
        <Button size="sm" variant="default" onClick={close} disabled={isChanged}>
          收起
        </Button>
        {isChanged && (
          <Button
            size="sm"
            variant="subtle"
            color="gray"
            onClick={() => {
              setText(note);
              setIsShared(isshared === 1);
            }}
          >
            撤销修改
          </Button>
        )}
      </Group>
    </Stack>
  );
}
