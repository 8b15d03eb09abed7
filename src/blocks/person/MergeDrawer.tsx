import { Alert, Anchor, Button, Drawer, Group, List, Radio, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { Appid, Gender } from '#domain/base/enums.ts';
import { archivePathOf } from '#contract/population.ts';
import type { Action, ResponseOf } from '#contract/action.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { notify } from '#ui/feedback/notify.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { LongTextField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { Link } from '#ui/router/router.tsx';
import { PersonField } from '#blocks/person/PersonField.tsx';
import { UndoMergeDrawer } from '#blocks/person/MergeNotes.tsx';
import { getMergeList, getMergePreview, mergeCUser } from '#features/merge/merge.contract.ts';

interface Props {
  person: { cuserid: string; username: string };
  /** the other record; without it the user looks for it */
  other?: string;
  /** lists that show the records */
  invalidates: readonly Action[];
  onClose: () => void;
}
type Preview = ResponseOf<typeof getMergePreview>;
type Pair = { cuserid: string; tocuserid: string };

/** 合并到…: chooses the other record and which one stays, shows what will happen, and merges. */
export function MergeDrawer({ person, other, invalidates, onClose }: Props) {
  const [pair, setPair] = useState<Pair | undefined>(other ? { cuserid: person.cuserid, tocuserid: other } : undefined);
  const [merged, setMerged] = useState<{ mergeid: number; appid: string }>();
  const [isUndoing, setIsUndoing] = useState(false);
  const preview = useActionQuery(getMergePreview, merged ? undefined : pair, { quiet: true });
  const form = useActionForm(mergeCUser, {
    initial: { ...(pair ?? { cuserid: person.cuserid }), reason: '' },
    onDone: (result) => {
      if (result.waits === 1) {
        notify.done('已提交，等待另一位同事复核');
        onClose();
      } else setMerged({ mergeid: result.mergeid, appid: preview.data?.stays.appid ?? '' });
    },
    invalidates: [getMergeList, ...invalidates],
    successMessage: '',
  });
  const choose = (next: Pair | undefined) => {
    setPair(next);
    form.set('cuserid', next?.cuserid ?? person.cuserid);
    form.set('tocuserid', next?.tocuserid ?? '');
  };
  if (merged && isUndoing) return <UndoMergeDrawer mergeid={merged.mergeid} invalidates={invalidates} onClose={onClose} />;
  if (merged && pair) return <Merged pair={pair} appid={merged.appid} onUndo={() => setIsUndoing(true)} onClose={onClose} />;
  return (
    <FormDrawer
      title={`合并档案 · ${person.username}`}
      onClose={onClose}
      form={form}
      width={640}
      save={preview.data?.needssecond === 1 ? '申请合并' : '合并'}
      readOnly={Boolean(preview.data?.refusal)}
    >
      {!other && (
        <PersonField
          {...form.field('tocuserid')}
          label="与哪一份档案是同一个人"
          onPick={(cuserid) => choose(cuserid ? { cuserid: person.cuserid, tocuserid: cuserid } : undefined)}
        />
      )}
      {pair ? (
        <Loaded read={preview} skeleton={<Skeletons.Lines />}>
          {(data) => (
            <>
              <Records preview={data} onSwap={() => choose({ cuserid: pair.tocuserid, tocuserid: pair.cuserid })} />
              {data.refusal ? (
                <Alert color="orange" role="alert" title="不能合并" styles={{ title: { color: 'var(--ink)' } }}>
                  {data.refusal}
                </Alert>
              ) : (
                <>
                  <Consequences preview={data} />
                  <LongTextField {...form.field('reason')} maxLength={200} />
                </>
              )}
            </>
          )}
        </Loaded>
      ) : (
        <Text size="sm" c="dimmed">
          请先找到另一份档案。合并前会列出将要发生的变化；合并后 30 天内可以撤销。
        </Text>
      )}
    </FormDrawer>
  );
}

const FACTS: readonly [title: string, value: (record: Preview['goes']) => string][] = [
  ['档案号', ({ archiveno }) => archiveno],
  ['性别', ({ gender }) => Gender.label(gender)],
  ['出生日期', ({ birthday }) => birthday ?? ''],
  ['联系电话', ({ phonenumber }) => phonenumber],
  ['人群', ({ appid }) => Appid.label(appid)],
  ['学号/工号/建册号', ({ studentno }) => studentno],
  ['所属', ({ belongs }) => belongs],
  ['测评', ({ examcount }) => `${examcount} 次`],
  ['建档日期', ({ createtime }) => createtime.slice(0, 10)],
];

/** Both records side by side, the older one first, and the choice of the one that stays. */
function Records({ preview: { goes, stays }, onSwap }: { preview: Preview; onSwap: () => void }) {
  const records = [goes, stays].toSorted((a, b) => (a.createtime < b.createtime ? -1 : 1));
  return (
    <Radio.Group label="保留哪一份档案" value={stays.cuserid} onChange={(value) => value !== stays.cuserid && onSwap()}>
      <Table layout="fixed" verticalSpacing={4} mt={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={128}>姓名</Table.Th>
            {records.map(({ cuserid, username }) => (
              <Table.Th key={cuserid}>
                <Radio value={cuserid} label={username} />
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {FACTS.map(([title, valueOf]) => (
            <Table.Tr key={title}>
              <Table.Th fw={400} c="dimmed">
                {title}
              </Table.Th>
              {records.map((record) => (
                <Table.Td key={record.cuserid}>{valueOf(record) || '—'}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Radio.Group>
  );
}

/** What the merge will do, in sentences. */
function Consequences({ preview: { goes, stays, moves, fills, tasks, cases: visible, needssecond } }: { preview: Preview }) {
  const cases = visible ?? [];
  const parts = [
    moves.exams > 0 && `答卷和报告 ${moves.exams} 份`,
    `档案 ${moves.archives} 份`,
    moves.guardians > 0 && `监护人 ${moves.guardians} 位`,
    moves.grants > 0 && `测评授权 ${moves.grants} 项`,
    moves.followups > 0 && `待办随访 ${moves.followups} 项`,
  ].filter(Boolean);
  const kept = cases.find((item) => item.kept === 1);
  const lines = [
    `${goes.archiveno ? `档案 ${goes.archiveno}` : '另一份档案'}的${parts.join('、')}并入保留的档案，趋势连成一条；得分不变。`,
    '它的学号、工号、建册号和编号仍可用来查找和导入，都会找到保留的档案。',
    fills.length > 0 && `保留的档案没有${fills.join('、')}，将用另一份的补上。`,
    ...tasks.map(
      ({ taskname, kept: place }) =>
        `两份档案都在任务“${taskname}”中：${place === 'goes' ? goes.username : stays.username}的答卷留下，另一个名额移除，未用的次数退回。`,
    ),
    cases.length === 1 && `进行中的预警个案 ${kept?.warningcode} 继续处理，时限不变。`,
    cases.length > 1 && `两份档案都有进行中的预警：个案 ${kept?.warningcode} 继续，取较早的时限；另一个以“并案”结案。`,
    needssecond === 1 && '有进行中的预警，须经另一位同事复核后才会合并。',
    '30 天内可以撤销，撤销后两份档案恢复原样。',
  ].filter((line) => typeof line === 'string');
  return (
    <Alert color="blue" title="合并后会发生什么" style={{ flex: 'none' }} styles={{ title: { color: 'var(--ink)' } }}>
      <List size="sm" spacing={4}>
        {lines.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** The result with the undo. */
function Merged({ pair, appid, onUndo, onClose }: { pair: Pair; appid: string; onUndo: () => void; onClose: () => void }) {
  const list = useActionQuery(getMergeList, { cuserid: pair.tocuserid }, { quiet: true });
  const done = list.data?.find(({ cuserid, status }) => cuserid === pair.cuserid && status === '02');
  return (
    <Drawer opened onClose={onClose} position="right" title="合并档案" size="min(640px, 100vw)">
      <Stack gap="md">
        <Alert color="green" role="status" title="两份档案已合并" styles={{ title: { color: 'var(--ink)' } }}>
          {done?.undountil ? `${done.undountil} 之前可以撤销，也可以以后在保留的档案里撤销。` : '30 天内可以撤销。'}
        </Alert>
        <Group justify="space-between">
          <Anchor component={Link} to={archivePathOf(appid, pair.tocuserid)} onClick={onClose}>
            打开保留的档案
          </Anchor>
          <Group>
            <Button variant="default" onClick={onUndo}>
              撤销合并
            </Button>
            <Button onClick={onClose}>完成</Button>
          </Group>
        </Group>
      </Stack>
    </Drawer>
  );
}
