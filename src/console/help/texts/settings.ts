import type { Helps } from '#console/help/texts/help.ts';

/** Accounts, rights, institutions, the shelf, counts and orders. */
export const settings: Helps = {
  '/Datastatistics/Datastatistics': {
    purpose: [
      '次数的流水：发放、冻结、用掉、退回、到期，一行一笔。',
      '可以按机构、方案、日期筛选和导出。',
      '合计和“方案授权统计”一定相等。',
    ],
    words: ['次数', '授权'],
    steps: ['按 / 到查询条件，按 Enter 查询', '点“导出”'],
  },
  '/Datastatistics/Datastatisticst': {
    purpose: ['每个机构、每个方案还有多少次数。', '快用完、快到期的会标出来。', '点数字看流水。'],
    words: ['次数', '授权'],
    steps: ['按 J 选一行，按 Enter 看流水'],
  },
  '/Service/terminal': {
    purpose: ['下级机构：开通、修改、停用、发次数、重置二维码。', '左边是机构树，右边是列表。', '停用前会列出还没办完的事。'],
    words: ['次数', '测评码', '收尾模式'],
    steps: ['按 / 输入机构名称，按 Enter', '按 J 选机构，按 Enter 打开', '点“开通机构”一步步来'],
  },
  '/Service/usersManager': {
    purpose: ['服务商：开通、修改、停用、发次数。', '一个服务商管理自己开通的机构。', '合同到期进入收尾模式，预警不会没人管。'],
    words: ['次数', '收尾模式'],
    steps: ['按 J 选服务商，按 Enter 打开', '开通一个新的服务商'],
  },
  '/Service/opening/institutions/:musercode?': {
    purpose: [
      '几步开通一个机构：信息、应用、次数、账号、二维码。',
      '做到哪一步都能停下，回来接着做。',
      '最后给出账号和一次性密码。',
    ],
    words: ['次数'],
    steps: ['填好按 Enter 到下一步', '最后下载二维码'],
  },
  '/Service/opening/providers/:musercode?': {
    purpose: ['几步开通一个服务商。', '做到哪一步都能停下，回来接着做。', '最后给出账号和一次性密码。'],
    words: ['次数'],
    steps: ['填好按 Enter 到下一步'],
  },
  '/authority/roleAdministration': {
    purpose: [
      '角色决定能用哪些功能、能看哪些人。',
      '一个人可以有多个角色，增加角色不会扩大数据范围。',
      '您不能给出自己没有的权限。',
    ],
    words: ['数据范围'],
    steps: ['按 J 选角色，按 Enter 打开', '用空格勾选功能', '用“为什么看不到”检查'],
  },
  '/authority/explain': {
    purpose: ['某位同事为什么看不到某个页面或某个人。', '选人和页面，系统说出是哪个角色、哪条范围。', '不用登录他的账号。'],
    words: ['数据范围'],
    steps: ['选同事', '选页面或输入受测者', '看原因'],
  },
  '/authority/earlyWarningC': {
    purpose: ['调整菜单的名称、图标、顺序和是否显示。', '停用的页面不再出现在菜单里。', '隐藏的页面仍受权限控制。'],
    words: [],
    steps: ['按 J 选一项，按 Enter 修改', '用上下键调顺序'],
  },
  '/authority/auditLog': {
    purpose: ['谁在什么时候做了什么、看了谁。', '每条记录逐条封存，删改任何一条都会被发现。', '可以按人、操作、时间筛选和导出。'],
    words: ['脱敏'],
    steps: ['按 / 输入操作人或操作，按 Enter', '按 J 选一行，按 Enter 看详情'],
  },
  '/authority/trail/:cuserid': {
    purpose: ['谁看过这个人的资料，什么时候、看了什么。', '本人或监护人询问时可以据此答复。', '记录不能删除。'],
    words: ['脱敏'],
    steps: ['按 J 走各行'],
  },
  '/authority/loginLog': {
    purpose: ['每次登录：时间、地址、浏览器、成功或失败。', '一直失败的账号会被暂时锁住。', '发现不认识的登录，请立即改密码。'],
    words: [],
    steps: ['按 / 输入账号，按 Enter'],
  },
  '/authority/retention': {
    purpose: [
      '每种记录保存多久、依据哪条法律、到期怎么办。',
      '到期的在夜间自动清除，未结个案和保全的不清除。',
      '可以在法律允许的范围内修改期限。',
    ],
    words: ['匿名化', '保全'],
    steps: ['按 Tab 到“修改期限”，按 Enter'],
  },
  '/organization/dept': {
    purpose: ['部门的树：年级组、科室、班组。', '部门可以作为数据范围，决定谁看得到谁。', '有人的部门不能直接删除。'],
    words: ['数据范围'],
    steps: ['用上下键走，用左右键展开和收起', '按 Enter 修改'],
  },
  '/organization/user': {
    purpose: [
      '同事的账号：新增、导入、停用、重置密码。',
      '停用前会把他手上的个案、随访和预约交给别人。',
      '新账号用一次性密码，第一次登录要改。',
    ],
    words: ['数据范围', '责任人', '值班'],
    steps: ['按 / 输入姓名，按 Enter', '按 J 选人，按 Enter 打开', '点“导入”一次建很多'],
  },
  '/operations/goodsManagement': {
    purpose: [
      '上架给下级机构选购的商品：次数包、实物、服务。',
      '写清楚内容和有效期，可以先看预览。',
      '下架后已下的订单不受影响。',
    ],
    words: ['次数'],
    steps: ['新增一个商品', '按 J 选一行，按 Enter 修改', '点“上架”'],
  },
  '/operations/orderManagement': {
    purpose: ['订单：下单、付款、发货、退款。', '次数包付款后自动到账，只到一次。', '每天自动和支付平台对账。'],
    words: ['次数'],
    steps: ['按 / 输入订单号，按 Enter', '按 J 选一单，按 Enter 打开'],
  },
  '/operations/dashboards': {
    purpose: ['给受测者和同事看的文章。', '可以定时发布，先在手机预览里看。', '可以设成某些结果的推荐阅读。'],
    words: ['需关注'],
    steps: ['新增一篇', '写好看手机上的预览', '发布，或者定时发布'],
  },
  '/operations/musicManagement': {
    purpose: ['放松用的音乐，带来源与授权。', '上架后本机构和下级都能听。', '只计播放次数，不记录谁播放过。'],
    words: [],
    steps: ['点“新增音乐”', '选 MP3，写来源与授权', '上架'],
  },
  '/operations/cloudClassroom': {
    purpose: ['课程和课时，可以是视频。', '大视频断网后会接着传。', '可以设成某些结果的推荐课程。'],
    words: ['需关注'],
    steps: ['点“新增课程”', '加课时，传视频', '上架'],
  },
  '/operations/fileUpload': {
    purpose: ['传过的文件和它们用在哪里。', '使用中的文件不能删除。', '公开文件的地址长期有效，私有文件的链接 10 分钟有效。'],
    words: [],
    steps: ['点“上传文件”', '按 J 选一个，按 Enter 看用处'],
  },
  '/approvals': {
    purpose: [
      '导出未成年人资料要第二个人同意，在这里申请和审批。',
      '审批的人看得到要导出什么、多少人、为什么。',
      '同意后由申请人下载，每次下载都有记录。',
    ],
    words: ['脱敏'],
    steps: ['按 J 选一条，按 Enter 打开', '同意或不同意，写明原因'],
  },
  '/profile/:tab?': {
    purpose: [
      '自己的信息、密码、二次验证和已登录的设备。',
      '建议打开二次验证，手机丢了也有恢复码。',
      '不认识的设备可以在这里下线。',
    ],
    words: [],
    steps: ['按 Tab 走到“二次验证”，按 Enter'],
  },
  '/notices': {
    purpose: ['发给您的消息，没读的在前。', '关于同一个个案的合成一行。', '免打扰时段只挡不急的；危机预警随时都会来。'],
    words: ['值班'],
    steps: ['按 J 选一条，按 Enter 打开', '点“全部标为已读”'],
  },
  '/settings': {
    purpose: ['本机构的各项设置都从这里进入。', '只列出您有权打开的。', '密码、二次验证等自己的设置在个人中心。'],
    words: [],
    steps: ['按 Tab 选一项，按 Enter 打开'],
  },
  '/apiKeys': {
    purpose: [
      '让校园平台、医院系统等读取本机构（含下级）的数据。',
      '密钥只能读取，不能修改，也看不到电话、证件号和单题作答。',
      '每次读取都记入审计日志；不用了请停用。',
    ],
    words: [],
    steps: ['点“新建密钥”，选好可以读取的内容', '复制密钥，交给对方系统的管理员'],
  },
  '/webhooks': {
    purpose: [
      '答卷提交、预警产生或结案时，通知本单位的系统。',
      '只推送编号和预警等级，不含姓名、分数和联系方式。',
      '没送达的会重试；连续 3 天失败就停用并发消息给您。',
    ],
    words: [],
    steps: ['点“新增地址”，填写 https 地址，选好事件', '复制签名密钥，交给系统开发人员', '点“发送测试事件”，看下面的推送记录'],
  },
  '/noticeChannels': {
    purpose: ['把消息发到邮箱或别的系统。', '外发的消息不含姓名，只有编号和链接。', '发不出去的会重试，并在这里说明原因。'],
    words: [],
    steps: ['填好邮件服务器，点“发送测试”', '看下面的发送记录'],
  },
  '/content': {
    purpose: ['给同事看的文章、音乐和课程。', '上次学到哪里会记住。', '内容由运营管理上架。'],
    words: [],
    steps: ['按 Tab 选一项，按 Enter 打开'],
  },
  '/content/article': {
    purpose: ['一篇文章的全文。', '外部链接会先提示。', '看过的次数只计数，不记录谁看过。'],
    words: [],
    steps: ['按空格向下翻', '按 Alt + ← 返回'],
  },
  '/content/course': {
    purpose: ['一门课的课时和您的进度。', '视频会从上次的地方接着放。', '进度只有您自己看得到。'],
    words: [],
    steps: ['按 Tab 选课时，按 Enter 播放'],
  },
  '/operations/goodsManagement/edit': {
    purpose: ['写清楚卖什么、多少钱、多久有效。', '先看买家看到的样子再上架。', '上架后改价格，已下的订单不变。'],
    words: ['次数'],
    steps: ['填好保存', '看预览', '回到列表上架'],
  },
  '/operations/dashboards/edit': {
    purpose: ['写一篇文章：标题、摘要、正文、图片。', '正文里不安全的内容会被去掉。', '可以推荐给某些结果的人。'],
    words: ['需关注'],
    steps: ['写好保存', '看手机上的预览', '发布，或者定时发布'],
  },
  '/operations/cloudClassroom/:courseid': {
    purpose: ['一门课程的课时和视频。', '可以调顺序，可以改授权给谁。', '传到一半断网，回来接着传。'],
    words: ['授权'],
    steps: ['加课时，传视频', '用上下键调顺序'],
  },
  '/operations/orderManagement/shop': {
    purpose: ['选购次数包、实物和服务。', '放进清单，一次下单。', '次数包付款后自动到账。'],
    words: ['次数'],
    steps: ['按 / 输入名称，按 Enter', '加入清单', '打开清单下单'],
  },
  '/operations/orderManagement/shop/:goodsid': {
    purpose: ['一件商品的内容、价格和有效期。', '看清适用的人群和方案。', '可以加入清单。'],
    words: ['次数', '方案'],
    steps: ['选数量，加入清单'],
  },
  '/operations/orderManagement/reconcile': {
    purpose: ['每天和支付平台逐笔核对。', '对不上的列在这里，要有人看。', '处理后写明原因。'],
    words: [],
    steps: ['按 J 选一行，看差异', '处理后写明原因'],
  },
  '/operations/orderManagement/:orderno': {
    purpose: ['一张订单的全部：内容、付款、发货、退款。', '每一步都有时间和经办人。', '未付款的可以取消，付款的可以申请退款。'],
    words: ['次数'],
    steps: ['按 Tab 走到下一步的按钮，按 Enter'],
  },
  '/noRights': {
    purpose: ['您的账号还没有任何功能。', '请联系本机构管理员给您分配角色。', '分配后刷新页面就能用。'],
    words: ['数据范围'],
    steps: ['按 F5 刷新'],
  },
};
