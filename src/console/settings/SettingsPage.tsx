import { Text } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { can } from '#ui/api/session.ts';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { Link } from '#ui/router/router.tsx';
import { getApiKeys } from '#features/apikey/apikey.contract.ts';
import { getArchiveFieldList } from '#features/archivefield/archivefield.contract.ts';
import { getLoginPageList } from '#features/audit/login/login.contract.ts';
import { getGuardianConsentPageList } from '#features/consent/guardian/guardian.contract.ts';
import { getChannels } from '#features/notice/channel/channel.contract.ts';
import { getReportTemplateList } from '#features/reporttemplate/reporttemplate.contract.ts';
import { getRetention } from '#features/retention/retention.contract.ts';
import { getWarningRuleList } from '#features/warning/rules/rule.contract.ts';
import { getWebhooks } from '#features/webhook/webhook.contract.ts';
import classes from './settings.module.css';

/** The settings of an institution that have a page of their own, by subject. Each needs the right to its first read. */
const GROUPS = [
  {
    title: '消息与对接',
    settings: [
      { call: getChannels, path: '/noticeChannels', title: '通知通道', text: '把消息发到邮箱或别的系统' },
      { call: getWebhooks, path: '/webhooks', title: '事件推送', text: '交卷、预警和结案时通知本单位的系统' },
      { call: getApiKeys, path: '/apiKeys', title: '对接密钥', text: '让校园平台、医院系统读取数据' },
    ],
  },
  {
    title: '测评与预警',
    settings: [
      { call: getWarningRuleList, path: '/earlyWarning/rules', title: '预警规则', text: '什么结果产生预警' },
      { call: getReportTemplateList, path: '/evaluating/reportTemplates', title: '报告模板', text: '报告写什么、怎么排' },
      { call: getGuardianConsentPageList, path: '/task/guardianConsent', title: '监护人同意', text: '征求同意，查看各班进度' },
    ],
  },
  {
    title: '数据与安全',
    settings: [
      { call: getArchiveFieldList, path: '/archives/fields', title: '档案字段', text: '档案里还要记哪些内容' },
      { call: getRetention, path: '/authority/retention', title: '数据保存期限', text: '各类记录保存多久，到期清除' },
      { call: getLoginPageList, path: '/authority/loginLog', title: '登录日志', text: '谁在什么时候、从哪里登录' },
    ],
  },
] as const;

/** 机构设置: the ways to the settings of the institution that the account may open. */
export default function SettingsPage() {
  const groups = GROUPS.map(({ title, settings }) => ({ title, settings: settings.filter(({ call }) => can(call)) })).filter(
    ({ settings }) => settings.length > 0,
  );
  return (
    <PageStack>
      {groups.map((group) => (
        <Section key={group.title} title={group.title}>
          <ul className={classes['settings']}>
            {group.settings.map(({ path, title, text }) => (
              <li key={path}>
                <Link to={path} className={classes['setting'] ?? ''}>
                  <span>
                    {title}
                    <Text component="small" size="sm" c="dimmed">
                      {text}
                    </Text>
                  </span>
                  <IconChevronRight size={16} aria-hidden />
                </Link>
              </li>
            ))}
          </ul>
        </Section>
      ))}
    </PageStack>
  );
}
