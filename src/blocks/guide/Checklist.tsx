import { Button, Progress, Text, VisuallyHidden } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { useSectorWords } from '#ui/api/session.ts';
import { notify } from '#ui/feedback/notify.ts';
import { Link } from '#ui/router/router.tsx';
import { getChecklist, hideChecklist } from '#features/guide/guide.contract.ts';
import classes from './guide.module.css';

/** 开始使用: the first steps of the user's role. Each step ticks itself. The list stays until the user puts it away. */
export function Checklist() {
  const { data } = useActionQuery(getChecklist, {}, { quiet: true });
  const say = useSectorWords();
  const hide = useActionMutation(hideChecklist, {
    invalidates: [getChecklist],
    onDone: () => notify.info('已收起，可在右上角账号菜单中再次打开'),
  });
  if (!data || data.ishidden || data.steps.length === 0) return null;
  const doneCount = data.steps.filter(({ isdone }) => isdone).length;
  const isComplete = doneCount === data.steps.length;
  return (
    <section className={classes['card']} aria-labelledby="checklist">
      <header>
        <h2 id="checklist">开始使用</h2>
        <Text size="sm" c="dimmed">
          {isComplete ? '已全部完成' : `已完成 ${doneCount} / ${data.steps.length} 步`}
        </Text>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          loading={hide.isPending}
          onClick={() => hide.mutate({ ishidden: true })}
        >
          收起
        </Button>
      </header>
      <Progress value={(doneCount / data.steps.length) * 100} size={4} aria-hidden />
      <ol>
        {data.steps.map(({ key, title, hint, path, isdone }) => (
          <li key={key} data-done={isdone || undefined}>
            <Link to={path}>
              {isdone ? (
                <IconCircleCheckFilled size={18} color="var(--ink-brand)" aria-hidden />
              ) : (
                <IconCircle size={18} stroke={1.6} aria-hidden />
              )}
              <span>{say(title)}</span>
              <small>{say(hint)}</small>
              {isdone && <VisuallyHidden>（已完成）</VisuallyHidden>}
            </Link>
          </li>
        ))}
      </ol>
    </section>
  );
}
