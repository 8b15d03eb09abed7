import { Button, Text, VisuallyHidden } from '@mantine/core';
import { IconCircleCheckFilled } from '@tabler/icons-react';
import { pathOf } from '#contract/menu.ts';
import { personWordsOf } from '#domain/person/words.ts';
import { hasPermission, useUser } from '#ui/api/session.ts';
import { Link } from '#ui/router/router.tsx';
import { FIRST_STEPS, type FirstStep } from '#features/workbench/workbench.contract.ts';
import classes from './workbench.module.css';

const LABELS: Readonly<Record<FirstStep, string>> = {
  'service.institutions': '开通机构',
  'organization.depts': '建立部门',
  'authority.roles': '设置角色',
  'organization.users': '新增用户',
  'group.teams': '导入名单',
  'group.tasks': '新建测评任务',
};

/** The first steps of a new institution that the user may do, in their order. Steps that are done have a tick. */
export function FirstSteps({ done }: { done: Readonly<Record<FirstStep, boolean>> }) {
  const { sector } = useUser();
  const steps = FIRST_STEPS.filter((screen) => hasPermission(screen));
  const doneCount = steps.filter((screen) => done[screen]).length;
  const isNumbered = steps.length > 1 && doneCount < steps.length;
  const labelOf = (screen: FirstStep) => (screen === 'group.teams' ? `导入${personWordsOf(sector).person}名单` : LABELS[screen]);
  if (steps.length === 0) return null;
  return (
    <nav aria-label="常用操作">
      {isNumbered && (
        <Text size="sm" c="dimmed" mb="xs" ta="center">
          开始使用：已完成 {doneCount} / {steps.length} 步
        </Text>
      )}
      <div className={classes['first']}>
        {steps.map((screen, index) => (
          <Button
            key={screen}
            component={Link}
            to={pathOf(screen)}
            variant="default"
            size="sm"
            leftSection={
              isNumbered && done[screen] ? <IconCircleCheckFilled size={16} color="var(--ink-brand)" aria-hidden /> : undefined
            }
          >
            {isNumbered ? `${index + 1}. ${labelOf(screen)}` : labelOf(screen)}
            {isNumbered && done[screen] && <VisuallyHidden>（已完成）</VisuallyHidden>}
          </Button>
        ))}
      </div>
    </nav>
  );
}
