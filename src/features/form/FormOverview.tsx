import { Alert, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconLicense } from '@tabler/icons-react';
import { useState } from 'react';
import { shanghaiDate } from '#domain/base/calendar.ts';
import { FormType, LicenceTier } from '#domain/base/enums.ts';
import { pathOf } from '#contract/menu.ts';
import { Can } from '#ui/api/Can.tsx';
import { Badge } from '#ui/display/badges.tsx';
import { Facts } from '#ui/display/Section.tsx';
import { stamp } from '#ui/display/RelativeTime.tsx';
import { can } from '#ui/api/session.ts';
import { Link } from '#ui/router/router.tsx';
import { acceptFormLicence } from '#features/form/form.contract.ts';
import type { FormDetail } from '#features/form/formDetail.ts';
import { describeLicence, formatAgeRange, formatPopulations, statedTier, tierTexts } from '#features/form/form.labels.ts';
import classes from './form.module.css';
import { LicenceDialog } from '#features/form/LicenceDialog.tsx';

/** Shows the basic facts of a form, its source and its licence conditions. */
export function FormOverview({ form }: { form: FormDetail }) {
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const tier = statedTier(form);
  const current = form.versions.find((version) => version.version === form.version);
  return (
    <Stack gap="lg">
      <Facts
        facts={[
          ['编码', form.formcode],
          ['英文名', form.definition.entitle],
          ['类型', FormType.label(form.formtype)],
          ['适用人群', formatPopulations(form.appids)],
          ['适用年龄', formatAgeRange(form.agemin, form.agemax)],
          ['题数与用时', `${form.itemcount} 题，约 ${form.minutes} 分钟`],
          ['时间范围', form.recall],
          ['施测方式', form.staffonly ? '由受过培训的工作人员面对面施测' : '本人作答'],
          ['版本', `${form.version}${form.version === form.currentversion ? '（现行）' : ''}`],
          ['发布时间', current ? stamp(current.publishtime) : ''],
        ]}
      />
      {form.canedit === 1 && form.status === 1 && (
        <Group gap="md">
          <Text size="sm">接下来：</Text>
          <Anchor component={Link} size="sm" to={`${pathOf('plans.comments')}?formcode=${form.formcode}`}>
            写各等级的评语
          </Anchor>
          <Anchor component={Link} size="sm" to={`${pathOf('plans.library')}/edit?formcode=${form.formcode}`}>
            用它新建方案
          </Anchor>
        </Group>
      )}
      {form.introduce && (
        <div>
          <Title order={2} size="h5">
            指导语
          </Title>
          <Text size="sm">{form.introduce}</Text>
        </div>
      )}
      <Stack gap="xs">
        <Title order={2} size="h5">
          授权与出处
        </Title>
        <Text size="sm">
          {LicenceTier.label(tier)}：{tierTexts[tier]}
        </Text>
        {form.licencetext && <Text size="sm">版权说明：{form.licencetext}</Text>}
        {form.citation && <Text size="sm">分界值出处：{form.citation}</Text>}
        {tier === 'C' && <LicenceState form={form} onOpen={() => setIsDialogOpen(true)} />}
        {form.licence.accepttime && (
          <Text size="sm">
            {tier === 'C' ? '授权' : '使用条件'}已由 {form.licence.acceptname} 于 {stamp(form.licence.accepttime)}{' '}
            {tier === 'C' ? '登记' : '确认接受'}；用途：{form.licence.note}
          </Text>
        )}
        {form.blockers.length > 0 && (
          <Alert className={classes['attention'] ?? ''} icon={<IconLicense aria-hidden />} title="本机构暂不能使用">
            <Stack gap="xs" align="flex-start">
              {form.blockers.map((reason) => (
                <Text size="sm" key={reason}>
                  {reason}
                </Text>
              ))}
              {tier === 'B' && !form.licenceaccepted && (
                <>
                  <Can call={acceptFormLicence}>
                    <Button size="xs" onClick={() => setIsDialogOpen(true)}>
                      查看并接受使用条件
                    </Button>
                  </Can>
                  {!can(acceptFormLicence) && <Text size="sm">请联系本机构管理员确认。</Text>}
                </>
              )}
            </Stack>
          </Alert>
        )}
      </Stack>
      {isDialogOpen && <LicenceDialog form={form} onClose={() => setIsDialogOpen(false)} />}
    </Stack>
  );
}

/** Until when the institution may use a copyrighted form. An administrator records or renews the licence here. */
function LicenceState({ form, onOpen }: { form: FormDetail; onOpen: () => void }) {
  const { text, isUrgent } = describeLicence(form.licence.expiredate, shanghaiDate(new Date()));
  return (
    <Group gap="sm">
      <Badge tone={isUrgent ? 'amber' : 'green'}>{text}</Badge>
      <Can call={acceptFormLicence}>
        <Button size="compact-sm" variant={isUrgent ? 'light' : 'subtle'} onClick={onOpen}>
          {form.licence.expiredate ? '续期' : '登记授权'}
        </Button>
      </Can>
      {isUrgent && !can(acceptFormLicence) && <Text size="sm">请联系本机构管理员登记。</Text>}
    </Group>
  );
}
