import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { ResponseOf } from '#contract/action.ts';
import { isHiddenField, useUser } from '#ui/api/session.ts';
import { LevelBadge, WarningBadge } from '#ui/display/badges.tsx';
import { Facts } from '#ui/display/Section.tsx';
import { Link } from '#ui/router/router.tsx';
import { submitStaffExam } from '#features/staffexam/staffexam.contract.ts';

type Result = ResponseOf<typeof submitStaffExam>;
const plain = { styles: { title: { color: 'var(--ink)' } } };

/** What staff read after the hand-in, with what comes next. A class teacher reads thanks and no level. */
export function EntryResult({ result: answer, onClose }: { result: Result; onClose: () => void }) {
  const { musertype, sector } = useUser();
  if (isHiddenField(submitStaffExam, 'result'))
    return <Thanks isSchool={musertype === '005' && sector === 'edu'} onClose={onClose} />;
  const { result, warning, waits } = answer;
  return (
    <Stack gap="md">
      <Alert color="green" title="已提交" role="status" {...plain}>
        {waits === 1 ? '本人或监护人同意后，得分和报告才会显示。' : '已按量表计分并生成报告。结果是筛查提示，不是诊断。'}
      </Alert>
      {warning && (
        <Alert color="red" title={warning.iscreated === 1 ? '已建立预警个案' : '已并入进行中的预警个案'} {...plain}>
          <Group gap="sm">
            <WarningBadge level={warning.level} />
            <Text size="sm">请负责人在时限内接收并处理。</Text>
            <Button
              component={Link}
              to={`/earlyWarning/case/${warning.warningcode}`}
              size="compact-sm"
              color="red"
              variant="light"
            >
              打开个案
            </Button>
          </Group>
        </Alert>
      )}
      {result?.valid === 0 && (
        <Alert color="orange" title="作答存疑，不显示等级" {...plain}>
          {result.invalidreason}
        </Alert>
      )}
      {result?.forms.map((form) => (
        <section key={form.formname} aria-label={form.formname}>
          <Text fw={600} mb="xs">
            {form.formname}
          </Text>
          <Facts
            facts={form.scores.map(({ name, score, level, levelname }) => [
              name,
              <Group key={name} gap="xs" component="span">
                {score ?? '—'}
                {level !== null && <LevelBadge level={level} label={levelname} />}
              </Group>,
            ])}
          />
        </section>
      ))}
      {result && result.next.length > 0 && (
        <Alert color="orange" title="建议接着完成" {...plain}>
          {result.next.join('、')}：短量表为阳性，请用“立即测评”在 24 小时内完成。
        </Alert>
      )}
      {result?.retestdate && <Text size="sm">已安排复测：{result.retestdate}</Text>}
      <Group justify="flex-end">
        {result && (
          <Button component={Link} to={`/report/${result.reportcode}`} variant="default">
            查看报告
          </Button>
        )}
        <Button onClick={onClose}>完成</Button>
      </Group>
    </Stack>
  );
}

function Thanks({ isSchool, onClose }: { isSchool: boolean; onClose: () => void }) {
  return (
    <Stack gap="md">
      <Alert color="green" title="已提交，谢谢您的观察" role="status" {...plain}>
        {isSchool ? '心理老师' : '专业人员'}会查看，需要您配合时会联系您。请继续像平常一样关心，不必追问。
      </Alert>
      <Text size="sm">如果您担心此刻的安全，请陪在身边，立即联系{isSchool ? '心理老师' : '专业人员'}，或拨打 120、110。</Text>
      <Group justify="flex-end">
        <Button onClick={onClose}>完成</Button>
      </Group>
    </Stack>
  );
}
