import { Switch } from '@mantine/core';
import { can } from '#ui/api/session.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { confirm } from '#ui/feedback/confirm.tsx';
import { getAiSettings, saveAiConsent } from '#features/aireport/aireport.contract.ts';

const terms =
  '开通后，工作人员可为个体报告和团体报告生成AI综合解读。发送给AI服务的只有年龄段、性别、得分、等级和人数等，不含姓名、编号、电话、学校、班级和任何手工填写的文字。请确认本机构已签署委托处理条款。';

/** The institution's consent to the AI provider, for its administrators. Nothing stands here where the platform has no provider. */
export function AiConsent() {
  const settings = useActionQuery(getAiSettings, can(saveAiConsent) ? {} : undefined, { quiet: true }).data;
  const save = useActionMutation(saveAiConsent, { invalidates: [getAiSettings] });
  if (!settings?.isavailable) return null;
  const change = async (allowed: 0 | 1) => {
    if (allowed === 0 || (await confirm(terms))) save.mutate({ allowed });
  };
  return (
    <Switch
      label={`AI综合解读${settings.allowed ? `（今日 ${settings.usedtoday}/${settings.limittoday}）` : ''}`}
      checked={settings.allowed === 1}
      disabled={save.isPending}
      onChange={(event) => void change(event.currentTarget.checked ? 1 : 0)}
    />
  );
}
