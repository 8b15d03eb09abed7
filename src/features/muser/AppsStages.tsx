import { Alert, Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Appid } from '#domain/base/enums.ts';
import { notifyError } from '#ui/feedback/notify.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { useLeave } from '#ui/form/useLeave.ts';
import { addAppsAndStages, getAppsAndStages, getExamStageList, type StageRow } from '#features/app/app.contract.ts';
import { getMUserPageList, type MUserRow } from '#features/muser/muser.contract.ts';

const populations = Appid.options.filter((option) => option.value !== Appid.custom);
export type Chosen = ReadonlyMap<string, readonly string[]>;

/** What an institution has, and saving another choice. No stage ticked means all of the application. */
export function useAppsStages(musercode: string | undefined) {
  const read = useActionQuery(getAppsAndStages, musercode ? { musercode } : undefined);
  const [changed, setChanged] = useState<Chosen>();
  const stagesByApp = new Map((read.data ?? []).map((item) => [item.appid, item.stagecodes] as const));
  const save = useActionMutation(addAppsAndStages, { invalidates: [getMUserPageList, getAppsAndStages] });
  const chosen = changed ?? stagesByApp;
  return {
    read,
    chosen,
    change: setChanged,
    /** Something was ticked that is not saved yet. */
    changed: changed !== undefined,
    busy: save.isPending,
    save: () =>
      save.mutateAsync({
        musercode: musercode ?? '',
        items: [...chosen].map(([appid, stagecodes]) => ({ appid, stagecodes: [...stagecodes] })),
      }),
  };
}

/** Applications to tick, each with its stages. */
export function AppsStagesField({ chosen, onChange }: { chosen: Chosen; onChange: (next: Chosen) => void }) {
  const stages = useActionQuery(getExamStageList, { enabled: 1 });
  const set = (appid: string, stagecodes: readonly string[] | undefined) => {
    const next = new Map(chosen);
    if (stagecodes) next.set(appid, stagecodes);
    else next.delete(appid);
    onChange(next);
  };
  return (
    <Loaded read={stages} skeleton={<Skeletons.Form count={4} />}>
      {(data) => {
        const rows = (Array.isArray(data) ? data : data.rows) as StageRow[];
        return (
          <Stack gap="md">
            {populations.map(({ value: appid, label }) => {
              const stages = chosen.get(appid);
              return (
                <div key={appid}>
                  <Checkbox
                    label={label}
                    fw={500}
                    checked={stages !== undefined}
                    onChange={(event) => set(appid, event.currentTarget.checked ? [] : undefined)}
                  />
                  {stages && (
                    <Checkbox.Group value={[...stages]} onChange={(next) => set(appid, next)} ml={28} mt={6}>
                      <Group gap="sm">
                        {rows
                          .filter((row) => row.appid === appid)
                          .map((row) => (
                            <Checkbox key={row.stagecode} size="xs" value={row.stagecode} label={row.stagename} />
                          ))}
                      </Group>
                      <Text size="xs" c="dimmed" mt={4}>
                        {stages.length ? `已选 ${stages.length} 个阶段` : '未勾选阶段时，可使用全部阶段'}
                      </Text>
                    </Checkbox.Group>
                  )}
                </div>
              );
            })}
          </Stack>
        );
      }}
    </Loaded>
  );
}

/** Applications and stages of one institution. */
export function AppsDialog({ row, onClose }: { row: MUserRow; onClose: () => void }) {
  const apps = useAppsStages(row.musercode);
  const leave = useLeave(apps.changed, onClose);
  return (
    <Modal opened onClose={leave} title={`应用与阶段：${row.insname}`} size={560}>
      <Loaded read={apps.read} skeleton={<Skeletons.Form count={4} />}>
        {() => (
          <>
            {apps.chosen.size === 0 && (
              <Alert color="yellow" mb="sm">
                没有应用的机构不能登录使用。
              </Alert>
            )}
            <AppsStagesField chosen={apps.chosen} onChange={apps.change} />
          </>
        )}
      </Loaded>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={leave}>
          取消
        </Button>
        <Button loading={apps.busy} disabled={!apps.read.data} onClick={() => void apps.save().then(onClose).catch(notifyError)}>
          保存
        </Button>
      </Group>
    </Modal>
  );
}
