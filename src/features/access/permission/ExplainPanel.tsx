import { Alert, Loader, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { menuEntries } from '#contract/menuTree.ts';
import { useSearchParams } from '#ui/router/router.tsx';
import { EmptyState, Loaded } from '#ui/feedback/states.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { explain, findAccounts } from '#features/access/permission/permission.contract.ts';
import classes from '#features/access/access.module.css';

const directories = menuEntries.filter((entry) => entry.parentid === 0);
const choices = directories
  .map((dir) => ({
    group: `${dir.title}${dir.key === 'statisticsN' ? '（医疗机构）' : ''}`,
    items: menuEntries
      .filter((entry) => entry.parentid === dir.menuid)
      .map((entry) => ({ value: entry.key as string, label: entry.menutype === 'F' ? `${entry.title}（功能）` : entry.title })),
  }))
  .filter((group) => group.items.length > 0);

/** Explains step by step why an account sees a screen or does not. The choice is in the URL, so that staff can send the link. */
export function ExplainPanel() {
  const [params, setParams] = useSearchParams();
  const accountid = params.get('accountid') ?? '';
  const guard = params.get('guard') ?? '';
  const setParam = (key: string, value: string | null) => {
    const next = new URLSearchParams(params);
    if (value) next.set(key, value);
    else next.delete(key);
    setParams(next, { replace: true });
  };
  const [text, setText] = useState('');
  const [keyword] = useDebouncedValue(text, 300);
  // The box shows the label of the chosen account: a label is not a search keyword.
  const query = useActionQuery(findAccounts, { keyword: keyword.includes('（') ? '' : keyword });
  const chosen = useActionQuery(findAccounts, accountid ? { accountid } : undefined, { quiet: true });
  const accounts = [...new Map([...(chosen.data ?? []), ...(query.data ?? [])].map((item) => [item.accountid, item])).values()];
  const read = useActionQuery(explain, accountid && guard ? { accountid, guard } : undefined);
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        选择账号和功能，系统按实际判断的顺序逐项说明能否看到、卡在哪一步、应由谁处理。
      </Text>
      <div className={classes['ask']}>
        <Select
          label="账号"
          placeholder="输入姓名、登录账号或机构名称"
          searchable
          clearable
          data={accounts.map((account) => ({
            value: account.accountid,
            label: `${account.name}（${account.loginname} · ${account.insname}）`,
          }))}
          value={accountid || null}
          onChange={(value) => setParam('accountid', value)}
          onSearchChange={setText}
          filter={({ options }) => options}
          rightSection={query.isFetching ? <Loader size={16} /> : undefined}
          nothingFoundMessage="没有找到账号"
        />
        <Select
          label="功能"
          placeholder="选择页面或功能"
          searchable
          clearable
          data={choices}
          value={guard || null}
          onChange={(value) => setParam('guard', value)}
          nothingFoundMessage="没有该功能"
        />
      </div>
      {!accountid || !guard ? (
        <EmptyState title="请选择账号和功能" hint="例如：王老师为什么看不到“危机预警”" />
      ) : (
        <Loaded read={read}>
          {(answer) => (
            <Stack gap="sm">
              <Alert
                color={answer.visible ? 'green' : 'orange'}
                variant="light"
                title={`${answer.name}（${answer.insname}）`}
                role="status"
              >
                {answer.conclusion}
              </Alert>
              <ol className={classes['steps']}>
                {answer.steps.map((step) => (
                  <li key={step.key} data-ok={step.ok === null ? 'info' : step.ok ? 'yes' : 'no'}>
                    <span className={classes['mark']}>
                      {step.ok === null ? (
                        <IconInfoCircle size={20} aria-label="说明" />
                      ) : step.ok ? (
                        <IconCircleCheck size={20} aria-label="通过" />
                      ) : (
                        <IconCircleX size={20} aria-label="未通过" />
                      )}
                    </span>
                    <div>
                      <strong>{step.title}</strong>
                      <div>{step.text}</div>
                      {step.hint && <div className={classes['hint']}>建议：{step.hint}</div>}
                    </div>
                  </li>
                ))}
              </ol>
            </Stack>
          )}
        </Loaded>
      )}
    </Stack>
  );
}
