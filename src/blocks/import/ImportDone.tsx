import { Button, Text } from '@mantine/core';
import { exportImportErrors, undoImport, type RosterResult } from '#features/team/roster/roster.contract.ts';
import { insertAssessTask } from '#features/task/task.contract.ts';
import { ImportOutcome, type LastStep } from '#blocks/import/ImportOutcome.tsx';
import { Can } from '#ui/api/Can.tsx';
import { Link } from '#ui/router/router.tsx';
import { useActionMutation } from '#ui/api/useAction.ts';
import classes from './import.module.css';

/** The wizard of a task with the teams of this import. */
const newTaskPath = ({ teams }: RosterResult) =>
  `/task/new?${new URLSearchParams(teams.map(({ teamcode }) => ['team', teamcode]))}`;

/** Last step of an import of persons: the results for persons and teams. */
export function ImportDone({ result, undone, onUndone, onClose, onMore }: LastStep<RosterResult>) {
  const undo = useActionMutation(undoImport, { successMessage: '已撤销本次导入', onDone: onUndone });
  return (
    <ImportOutcome
      result={result}
      undone={undone}
      words={{
        done: `已导入 ${result.success} 行`,
        until: `${result.undountil} 之前可以撤销；有人作答或记录被修改后不能撤销`,
        undone: result.teams.length > 0 ? '名单和团体已恢复到导入之前' : '名单已恢复到导入之前',
      }}
      numbers={[
        ['新增', result.created],
        ...(result.teams.length > 0
          ? ([
              ['加入', result.joined],
              ['换班', result.moved],
            ] as const)
          : []),
        ['更新', result.updated],
        ['未变', result.unchanged],
        ['未导入', result.failed],
      ]}
      errors={exportImportErrors}
      undo={{
        question: `撤销后，本次新增的 ${result.created} 人${result.teams.length > 0 ? '和新建的团体' : ''}将被移除，更新过的信息恢复原样。是否撤销？`,
        onConfirm: () => undo.mutateAsync({ importid: result.importid }),
      }}
      buttons={
        <>
          <Button variant="default" onClick={onMore}>
            继续导入
          </Button>
          {!undone && result.teams.length > 0 && (
            <Can call={insertAssessTask}>
              <Button variant="default" component={Link} to={newTaskPath(result)} onClick={onClose}>
                用这些团体新建任务
              </Button>
            </Can>
          )}
          <Button onClick={onClose} data-autofocus>
            完成
          </Button>
        </>
      }
    >
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
    </ImportOutcome>
  );
}
