import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { useState } from 'react';
import { formatNumber } from '#domain/base/number.ts';
import { notify } from '#ui/feedback/notify.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { useLeave } from '#ui/form/useLeave.ts';
import type { TaskRow } from '#features/task/board/board.contract.ts';
import { getAssessTaskTeams, insertAssessTeamRosterTask } from '#features/task/task.contract.ts';
import { TeamChoice } from '#features/task/wizard/TeamChoice.tsx';

/** Adds whole teams to a task. Persons who are already on its roster need no further count. */
export function AddPeopleDialog({ task, onClose }: { task: TaskRow; onClose: () => void }) {
  const teams = useActionQuery(getAssessTaskTeams, { appid: task.appid, musercode: task.musercode });
  const [chosen, setChosen] = useState<string[]>([]);
  const add = useActionMutation(insertAssessTeamRosterTask, {
    onDone: ({ added, excludedcount }) => {
      notify.done(`已追加 ${formatNumber(added)} 人${excludedcount ? `，${formatNumber(excludedcount)} 人不在适用年龄内` : ''}`);
      onClose();
    },
  });
  const leave = useLeave(chosen.length > 0, onClose);
  return (
    <Modal opened onClose={leave} title="追加名单" size="xl">
      <Stack gap="md">
        <Alert color="gray">已在名单中的人员不会重复加入，也不会重复占用次数。</Alert>
        <Loaded read={teams} skeleton={<Skeletons.Lines />}>
          {(rows) => <TeamChoice teams={rows} chosen={chosen} onChange={setChosen} />}
        </Loaded>
        <Group justify="flex-end">
          <Button variant="default" onClick={leave}>
            取消
          </Button>
          <Button
            disabled={!chosen.length}
            loading={add.isPending}
            onClick={() => add.mutate({ taskcode: task.taskcode, teamcodes: chosen, cuserids: [] })}
          >
            追加
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
