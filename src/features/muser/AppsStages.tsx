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
/** The stages of each chosen application; an empty list means all stages. */
export type ChosenApps = ReadonlyMap<string, readonly string[]>;

/** Returns the applications and stages of an institution, and functions to change and save them. */
export function useAppsStages(musercode: string | undefined, rowVersion: number) {
  const read = useActionQuery(getAppsAndStages, musercode ? { musercode } : undefined);
  const [changedApps, setChangedApps] = useState<ChosenApps>();
  const savedApps = new Map((read.data ?? []).map((item) => [item.appid, item.stagecodes] as const));
  const save = useActionMutation(addAppsAndStages, {
    invalidates: [getMUserPageList, getAppsAndStages],
    onAdopt: () => setChangedApps(undefined),
  });
  // The choice was made on this version, whatever the page reads in the meantime.
  const [base, setBase] = useState<number>();
  const chosen = changedApps ?? savedApps;
  return {
    read,
    chosen,
    change: (next: ChosenApps) => {
      setBase(base ?? read.data?.[0]?.version ?? rowVersion);
      setChangedApps(next);
    },
    hasChanges: changedApps !== undefined,
    isSaving: save.isPending,
    save: () =>
      save.mutateAsync({
        musercode: musercode ?? '',
        version: base ?? rowVersion,
        items: [...chosen].map(([appid, stagecodes]) => ({ appid, stagecodes: [...stagecodes] })),
      }),
  };
}

/** Checkboxes for the applications, each with its stages. */
export function AppsStagesField({ chosen, onChange }: { chosen: ChosenApps; onChange: (next: ChosenApps) => void }) {
  const stages = useActionQuery(getExamStageList, { enabled: 1 });
  const setStages = (appid: string, stagecodes: readonly string[] | undefined) => {
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
              const chosenStages = chosen.get(appid);
              return (
                <div key={appid}>
                  <Checkbox
                    label={label}
                    fw={500}
                    checked={chosenStages !== undefined}
                    onChange={(event) => setStages(appid, event.currentTarget.checked ? [] : undefined)}
                  />
                  {chosenStages && (
                    <Checkbox.Group value={[...chosenStages]} onChange={(next) => setStages(appid, next)} ml={28} mt={6}>
                      <Group gap="sm">
                        {rows
                          .filter((row) => row.appid === appid)
                          .map((row) => (
                            <Checkbox key={row.stagecode} size="xs" value={row.stagecode} label={row.stagename} />
                          ))}
                      </Group>
                      <Text size="xs" c="dimmed" mt={4}>
                        {chosenStages.length ? `已选 ${chosenStages.length} 个阶段` : '未勾选阶段时，可使用全部阶段'}
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

/** The dialog for the applications and stages of one institution. */
export function AppsDialog({ row, onClose }: { row: MUserRow; onClose: () => void }) {
  const apps = useAppsStages(row.musercode, row.version);
  const leave = useLeave(apps.hasChanges, onClose);
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
        <Button
          loading={apps.isSaving}
          disabled={!apps.read.data}
          onClick={() => void apps.save().then(onClose).catch(notifyError)}
        >
          保存
        </Button>
      </Group>
    </Modal>
  );
}
