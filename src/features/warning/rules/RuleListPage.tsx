import { Button, Switch, Text } from '@mantine/core';
import { IconLock, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Appid } from '#domain/base/enums.ts';
import { Badge, WarningBadge } from '#ui/display/badges.tsx';
import { ConfirmButton } from '#ui/feedback/ConfirmButton.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { deleteWarningRule, getWarningRuleList, updateWarningRule, type RuleRow } from '#features/warning/rules/rule.contract.ts';
import { useSearchParams } from '#ui/router/router.tsx';
import classes from './rule.module.css';
import caseClasses from '#features/warning/warning.module.css';

const RuleDrawer = lazyDialog(() => import('#features/warning/rules/RuleDrawer.tsx').then((file) => file.RuleDrawer));

/** 预警规则: the platform's rules, which nobody can disable, and the institution's own rules. */
export default function RuleListPage() {
  const read = useActionQuery(getWarningRuleList, {});
  const affected = [getWarningRuleList];
  const change = useActionMutation(updateWarningRule, { invalidates: affected, successMessage: '已保存' });
  const remove = useActionMutation(deleteWarningRule, { invalidates: affected, successMessage: '删除成功' });
  const [params] = useSearchParams();
  // The editor of a plan leads here to add a rule of the plan.
  const plancode = params.get('plancode') ?? undefined;
  const [editing, setEditing] = useState<RuleRow | 'new' | undefined>(plancode ? 'new' : undefined);
  return (
    <Loaded read={read} skeleton={<Skeletons.Page />}>
      {(rules) => {
        const customRules = rules.filter((rule) => rule.own === 1);
        const planRules = rules.filter((rule) => rule.builtin === 0 && rule.own === 0);
        return (
          <PageStack>
            <Section
              title="本机构规则"
              right={
                <Button size="sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEditing('new')}>
                  新增规则
                </Button>
              }
            >
              <Text size="sm" c="dimmed" mb="sm">
                在平台规则之上增加，只会更早发现，不会减少预警；最高到“预警”级。启用前可用既往答卷试运行。
              </Text>
              {customRules.length === 0 ? (
                <EmptyState title="还没有自己的规则" hint="例如：考前一个月 PHQ-9 总分 ≥ 7 即预警" />
              ) : (
                <ul className={classes['rules']} aria-label="本机构规则">
                  {customRules.map((rule) => (
                    <li key={rule.rulecode} data-off={rule.enabled === 0}>
                      <WarningBadge level={rule.warninglevel} name={rule.levelname} />
                      <div className={classes['ruletext']}>
                        <strong>{rule.name}</strong> {rule.appid && <Badge tone="gray">{Appid.label(rule.appid)}</Badge>}{' '}
                        {rule.plancode && <Badge tone="lime">{`方案：${rule.planname || (rule.plancode ?? '')}`}</Badge>}
                        <div>{rule.words}</div>
                        {rule.remark && <div className={caseClasses['quiet']}>{rule.remark}</div>}
                      </div>
                      <div className={classes['ruleacts']}>
                        <Switch
                          size="sm"
                          label={rule.enabled === 1 ? '启用' : '停用'}
                          aria-label={`启用 ${rule.name}`}
                          checked={rule.enabled === 1}
                          disabled={change.isPending}
                          onChange={(event) =>
                            change.mutate({
                              rulecode: rule.rulecode,
                              version: rule.version,
                              enabled: event.currentTarget.checked ? 1 : 0,
                            })
                          }
                        />
                        <Button variant="subtle" size="compact-sm" onClick={() => setEditing(rule)}>
                          修改
                        </Button>
                        <ConfirmButton name={rule.name} onConfirm={() => remove.mutateAsync({ rulecode: rule.rulecode })} />
                      </div>
                    </li>
                  ))}
                </ul>
              )}
            </Section>
            {planRules.length > 0 && (
              <Section title="上级方案的规则">
                <Text size="sm" c="dimmed" mb="sm">
                  上级机构为公共方案设置，只用于使用该方案的答卷，只会更早发现。
                </Text>
                <ul className={classes['rules']} aria-label="上级方案的规则">
                  {planRules.map((rule) => (
                    <li key={rule.rulecode}>
                      <WarningBadge level={rule.warninglevel} name={rule.levelname} />
                      <div className={classes['ruletext']}>
                        <strong>{rule.name}</strong>{' '}
                        <Badge tone="lime">{`方案：${rule.planname || (rule.plancode ?? '')}`}</Badge>
                        <div>{rule.words}</div>
                      </div>
                    </li>
                  ))}
                </ul>
              </Section>
            )}
            <Section title="平台规则">
              <Text size="sm" c="dimmed" mb="sm">
                <IconLock size={14} aria-hidden style={{ verticalAlign: -2 }} />{' '}
                所有机构的底线，始终启用，不能修改或停用。单题红线（如自伤条目）另按量表立即预警。
              </Text>
              <ul className={classes['rules']} aria-label="平台规则">
                {rules
                  .filter((rule) => rule.builtin === 1)
                  .map((rule) => (
                    <li key={rule.rulecode}>
                      <WarningBadge level={rule.warninglevel} name={rule.levelname} />
                      <div className={classes['ruletext']}>{rule.name}</div>
                    </li>
                  ))}
              </ul>
            </Section>
            {editing && <RuleDrawer row={editing} plancode={plancode} onClose={() => setEditing(undefined)} />}
          </PageStack>
        );
      }}
    </Loaded>
  );
}
