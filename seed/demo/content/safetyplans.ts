import type { RequestOf } from '#contract/action.ts';
import { PlanMeans } from '#domain/warning/safetyPlan.ts';
import type { insertRiskAssess } from '#features/warning/handling/handling.contract.ts';
import type { Person } from '#seed/demo/tenants/persons.ts';

type SafetyPlanFields = NonNullable<RequestOf<typeof insertRiskAssess>['safetyplan']>;

/** Returns a safety plan of a person of the demonstration. `isAcute`: means are within reach and the family has stored them. */
export function safetyPlanOf(person: Person | undefined, storeddate: string, isAcute = false): SafetyPlanFields {
  const relative = person?.guardian.name ?? '家人';
  return {
    warningsigns: isAcute ? '整夜睡不着、不想说话、把东西送人' : '反复想难过的事、不想出门、睡不着',
    coping: '离开让我难受的地方，洗把脸，听歌，写下此刻的感受',
    distractions: '操场、图书馆；和要好的同学一起走走',
    helpers: [{ name: relative, relation: '家人', phonenumber: person?.guardian.phonenumber ?? '10000009999', isadult: 1 }],
    services: [
      { name: '心理辅导室', phonenumber: '0571-00000000', hours: '周一至周五 8:00–17:00' },
      { name: '心理援助热线', phonenumber: '12356', hours: '时间以当地公布为准' },
    ],
    means: PlanMeans.codes.map((kind) =>
      isAcute && kind === PlanMeans.drugs ? { kind, status: '02', keeper: relative, storeddate } : { kind, status: '01' },
    ),
    importantthings: '家里的小狗，和朋友约好的旅行',
    copies: `本人、${relative}、心理老师`,
  };
}
