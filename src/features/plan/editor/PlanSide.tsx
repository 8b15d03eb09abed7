import { Button, Stack, Text } from '@mantine/core';
import { IconDeviceMobile } from '@tabler/icons-react';
import { Badge, WarningBadge } from '#ui/display/badges.tsx';
import { Section } from '#ui/display/Section.tsx';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { can } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { Link } from '#ui/router/router.tsx';
import type { FormRow } from '#features/form/form.contract.ts';
import { getPlanVersionList } from '#features/plan/lineage/lineage.contract.ts';
import { previewTask } from '#features/respond/preview/preview.contract.ts';
import { getWarningRuleList, insertWarningRule } from '#features/warning/rules/rule.contract.ts';
import { formsAt, openPreview, type DraftForm } from '#features/plan/editor/planDraft.ts';
import type { StageOption } from '#features/plan/editor/FormsSection.tsx';
import classes from '#features/plan/editor/editor.module.css';

/** Questions and minutes of each stage as the plan stands now, and the preview of each. */
export function Totals({
  forms,
  stages,
  library,
  planname,
}: {
  forms: readonly DraftForm[];
  stages: readonly StageOption[];
  library: readonly FormRow[];
  planname: string;
}) {
  const rows = stages.length ? stages : [{ value: '', label: '每次作答' }];
  const sumOf = (list: readonly DraftForm[], key: 'minutes' | 'itemcount') =>
    list.reduce((sum, line) => sum + (library.find((form) => form.formcode === line.formcode)?.[key] ?? 0), 0);
  return (
    <Section title="作答时长">
      <ul className={classes['totals']}>
        {rows.map(({ value, label }) => {
          const list = formsAt(forms, value);
          const minutes = sumOf(list, 'minutes');
          return (
            <li key={value}>
              <div>
                <Text size="sm">{label}</Text>
                <Text size="sm" c={minutes > 30 ? 'red' : 'dimmed'}>
                  {list.length} 份 · {sumOf(list, 'itemcount')} 题 · 约 {minutes} 分钟
                </Text>
              </div>
              {can(previewTask) && (
                <Button
                  size="compact-sm"
                  variant="default"
                  leftSection={<IconDeviceMobile size={14} aria-hidden />}
                  disabled={list.length === 0}
                  aria-label={`预览${label}`}
                  onClick={() =>
                    openPreview(
                      list.map((line) => line.formcode),
                      planname,
                    )
                  }
                >
                  预览
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      <Text size="xs" c="dimmed" mt="xs">
        预览在手机大小的窗口中打开，从第一页到最后一页，不保存任何内容。未保存的修改也能预览。
      </Text>
    </Section>
  );
}

/** The alert rules of the plan, which judge the sheets of everybody who uses it. */
export function PlanRules({ planroot }: { planroot: string }) {
  const rules = useActionQuery(getWarningRuleList, { plancode: planroot });
  return (
    <Section
      title="方案预警规则"
      right={
        can(insertWarningRule) && (
          <Button
            component="a"
            size="compact-sm"
            variant="subtle"
            href={`/earlyWarning/rules?plancode=${planroot}`}
            target="_blank"
            rel="noreferrer"
          >
            新增规则
          </Button>
        )
      }
    >
      <Loaded read={rules} skeleton={<Skeletons.Lines count={2} />}>
        {(list) => (
          <Stack gap="xs">
            {list.length === 0 && (
              <Text size="sm" c="dimmed">
                还没有。平台规则和机构规则始终有效，这里的规则只对使用本方案的答卷增加提示。
              </Text>
            )}
            {list.map((rule) => (
              <div key={rule.rulecode} className={classes['rule']}>
                <WarningBadge level={rule.warninglevel} name={rule.levelname} />
                <div>
                  <Text size="sm" fw={500}>
                    {rule.name} {rule.enabled === 0 && <Badge tone="gray">停用</Badge>}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {rule.words}
                  </Text>
                </div>
              </div>
            ))}
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

/** The versions of the plan: who created each, when, and what differs. */
export function PlanVersions({ plancode }: { plancode: string }) {
  const read = useActionQuery(getPlanVersionList, { plancode });
  return (
    <Section title="版本">
      <Loaded read={read} skeleton={<Skeletons.Lines count={2} />}>
        {({ versions }) => (
          <ol className={classes['versions']} aria-label="版本">
            {versions.map((version) => (
              <li key={version.plancode}>
                <Text size="sm" fw={500}>
                  第 {version.lineageno} 版 {version.current === 1 && <Badge tone="green">当前</Badge>}
                </Text>
                <Text size="xs" c="dimmed">
                  {[
                    version.authorname,
                    version.createtime.slice(0, 16),
                    version.usedcount ? `授权 ${version.usedcount} 人次` : '',
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </Text>
                <ul>
                  {version.changes.map((change) => (
                    <li key={change}>{change}</li>
                  ))}
                </ul>
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </Section>
  );
}

/** The way back to the list. */
export const BackToList = ({ to }: { to: string }) => (
  <Button component={Link} to={to} variant="subtle">
    返回方案库
  </Button>
);
