import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { exportImportErrors, undoImport, type RosterResult } from '#features/team/roster.contract.ts';
import { ConfirmButton } from '#ui/ConfirmButton.tsx';
import { ExportButton } from '#ui/ExportButton.tsx';
import { useDo } from '#ui/useAction.ts';
import classes from './import.module.css';

/** Last step: what the import made, and the way back for 24 hours. */
export function ImportDone({
  result,
  undone,
  onUndone,
  onClose,
  onMore,
}: {
  result: RosterResult;
  undone: boolean;
  onUndone: () => void;
  onClose: () => void;
  onMore: () => void;
}) {
  const undo = useDo(undoImport, { said: '已撤销本次导入', onDone: onUndone });
  const numbers: readonly (readonly [string, number])[] = [
    ['新增', result.created],
    ['加入', result.joined],
    ['换班', result.moved],
    ['更新', result.updated],
    ['未变', result.unchanged],
    ['未导入', result.failed],
  ];
  return (
    <Stack gap="md">
      <Alert
        color={undone ? 'gray' : 'brand'}
        icon={<IconCircleCheck size={20} />}
        styles={{ title: { color: 'var(--ink)' } }}
        title={undone ? '本次导入已撤销' : `已导入 ${result.success} 行`}
      >
        {undone ? '名单和团体已恢复到导入之前' : `${result.undountil} 之前可以撤销；有人作答或记录被修改后不能撤销`}
      </Alert>
      <ImportNumbers numbers={numbers} />
      {result.teams.length > 0 && (
        <section aria-label="涉及的团体">
          <Text size="sm" fw={500} mb={6}>
            涉及的团体
          </Text>
          <ul className={classes['list']}>
            {result.teams.map((team) => (
              <li key={team.teamcode}>
                <span>{team.teamname}</span>
                <Text component="span" size="sm" c="dimmed">
                  {team.created ? '新建，' : ''}加入 {team.count} 人
                </Text>
              </li>
            ))}
          </ul>
        </section>
      )}
      <div className={classes['foot']}>
        <span />
        {result.failed > 0 && (
          <ExportButton action={exportImportErrors} request={{ importid: result.importid }} title="错误回执" small>
            下载错误回执
          </ExportButton>
        )}
        {!undone && (
          <ConfirmButton
            variant="default"
            size="sm"
            question={`撤销后，本次新增的 ${result.created} 人和新建的团体将被移除，更新过的信息恢复原样。是否撤销？`}
            onConfirm={() => undo.mutateAsync({ importid: result.importid })}
          >
            撤销本次导入
          </ConfirmButton>
        )}
        <Button variant="default" onClick={onMore}>
          继续导入
        </Button>
        <Button onClick={onClose} data-autofocus>
          完成
        </Button>
      </div>
    </Stack>
  );
}

/** What an import came to, number by number. */
export function ImportNumbers({ numbers }: { numbers: readonly (readonly [string, number])[] }) {
  return (
    <dl className={classes['numbers']}>
      {numbers.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
