import { Button, Checkbox, Drawer, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useSectorWords } from '#ui/api/session.ts';
import { EmptyState, Loaded } from '#ui/feedback/states.tsx';
import { notify } from '#ui/feedback/notify.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { useLeave } from '#ui/form/useLeave.ts';
import {
  getAssessCUser,
  getAssessTeamPageList,
  getAssessTeamRoster,
  insertAssessTeamCUser,
  moveAssessTeamCUser,
  type TeamRow,
} from '#features/team/team.contract.ts';

/** Searches existing persons and adds them to a team. The search leaves out the present members. */
export function AddMembers({ team, onClose }: { team: TeamRow; onClose: () => void }) {
  const say = useSectorWords();
  const [text, setText] = useState('');
  const [searchText] = useDebouncedValue(text.trim(), 300);
  const [selection, setSelection] = useState<ReadonlyMap<string, string>>(new Map());
  const query = useActionQuery(
    getAssessCUser,
    searchText ? { keyword: searchText, musercode: team.musercode, notteamcode: team.teamcode } : undefined,
    { quiet: true },
  );
  const add = useActionMutation(insertAssessTeamCUser, {
    invalidates: [getAssessTeamRoster, getAssessTeamPageList, getAssessCUser],
    onDone: ({ added, existed }) => {
      notify.done(existed ? `已添加 ${added} 人，${existed} 人原已在团体中` : `已添加 ${added} 人`);
      onClose();
    },
  });
  const toggle = (cuserid: string, name: string) => {
    const next = new Map(selection);
    if (!next.delete(cuserid)) next.set(cuserid, name);
    setSelection(next);
  };
  const leave = useLeave(selection.size > 0, onClose);
  return (
    <Drawer opened onClose={leave} title={`添加已有人员到“${team.teamname}”`} position="right" size="min(480px, 100vw)">
      <Stack>
        <TextInput
          label="查找人员"
          placeholder={say('姓名、拼音首字母、学号/工号或完整电话')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
        {searchText && (
          <Loaded read={query}>
            {(rows) =>
              rows.length === 0 ? (
                <EmptyState title="没有找到" hint="可能已在本团体中，或还没有建档" />
              ) : (
                <Stack gap={4} role="group" aria-label="查找结果">
                  {rows.map((row) => (
                    <Checkbox
                      key={row.cuserid}
                      py={6}
                      checked={selection.has(row.cuserid)}
                      onChange={() => toggle(row.cuserid, row.username)}
                      label={row.username}
                      description={
                        [row.studentno, row.belongs, row.phonenumber].filter(Boolean).join(' · ') || say('无学号/工号和班级/单位')
                      }
                    />
                  ))}
                  {rows.length === 20 && (
                    <Text size="sm" c="dimmed">
                      只显示前 20 人，请输入更多内容
                    </Text>
                  )}
                </Stack>
              )
            }
          </Loaded>
        )}
        {selection.size > 0 && (
          <Text size="sm">
            已选 {selection.size} 人：{[...selection.values()].join('、')}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={leave}>
            取消
          </Button>
          <Button
            disabled={selection.size === 0}
            loading={add.isPending}
            onClick={() => add.mutate({ teamcode: team.teamcode, cuserids: [...selection.keys()] })}
          >
            添加 {selection.size || ''}
          </Button>
        </Group>
      </Stack>
    </Drawer>
  );
}

/** Moves selected members to another team of the same year. */
export function MoveMembers({
  team,
  cuserids,
  onClose,
  onDone,
}: {
  team: TeamRow;
  cuserids: string[];
  onClose: () => void;
  onDone: () => void;
}) {
  const [toteamcode, setToteamcode] = useState<string | null>(null);
  const teams = useActionQuery(getAssessTeamPageList, {
    pageSize: 200,
    musercode: team.musercode,
    ...(team.year ? { year: team.year } : {}),
  });
  const move = useActionMutation(moveAssessTeamCUser, {
    onDone: ({ moved }) => {
      notify.done(`已调整 ${moved} 人`);
      onDone();
      onClose();
    },
  });
  const options = (teams.data?.rows ?? [])
    .filter((row) => row.teamcode !== team.teamcode)
    .map((row) => ({ value: row.teamcode, label: row.teamname }));
  return (
    <Modal opened onClose={onClose} title={`将 ${cuserids.length} 人调整到`} size="sm">
      <Select
        label="目标团体"
        placeholder="请选择"
        data={options}
        value={toteamcode}
        onChange={setToteamcode}
        searchable
        nothingFoundMessage="没有其他团体"
        data-autofocus
      />
      <Text size="sm" c="dimmed" mt="xs">
        调整到班级时，档案中的年级班级一并更新；已有测评结果不变
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          取消
        </Button>
        <Button
          disabled={!toteamcode}
          loading={move.isPending}
          onClick={() => toteamcode && move.mutate({ teamcode: team.teamcode, toteamcode, cuserids })}
        >
          调整
        </Button>
      </Group>
    </Modal>
  );
}
