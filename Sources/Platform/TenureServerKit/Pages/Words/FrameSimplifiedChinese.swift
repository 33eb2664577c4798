enum FrameSimplifiedChinese {
    static let words: [FrameText: Wording] = [
        .skip: "跳到正文",
        .view: "语言和时区",
        .language: "语言",
        .timeZone: "时区",
        .apply: "应用",
        .simulated: "模拟环境：此服务器的许可证仅供测试，真实设备不接受。",
        .virtualClock: "虚拟时钟：此服务器的时间已为测试而调整。",
        .nothingHere: "找不到页面",
        .homeTitle: "许可证服务器",
        .homeLead: "App 在这里验证许可证。您无需在此页面上进行任何操作。",
        .homeText: "如果您收到了查看许可证、设备或课程的链接，请打开完整的链接，不要遗漏最后的字符。",
        .homeProgram: "开发者信息：{link}",
        .signedInAs: "当前用户：{name}",
        .license: "许可证 {name}",
        .signOut: "退出登录",
        .close: "关闭",
        .supportEmail: "需要帮助？请发邮件至 {email}。",
        .supportSite: "需要帮助？请访问 {site}。",
        .supportBoth: "需要帮助？请发邮件至 {email}，或访问 {site}。",
        .supportReference: "客服参考编号：{reference}",
        .homepage: "前往 {name} 的网站",
        .timeNow: "现在",
        .timeInMinutes: "{count} 分钟后",
        .timeInHours: "{count} 小时后",
        .timeInDays: "{count} 天后",
        .timeMinutesAgo: "{count} 分钟前",
        .timeHoursAgo: "{count} 小时前",
        .timeDaysAgo: "{count} 天前",
        .linkTitle: "您的一次性链接",
        .linkWorksOnce: "此链接只能使用一次。",
        .linkStaysSignedIn: "您在此设备上的登录状态会保持半小时。",
        .linkStaysOpen: "页面会在此设备上保持打开半小时。",
        .goOn: "继续",
        .toStart: "前往首页",
        .toDevices: "返回设备列表",
        .toLicense: "返回许可证页面",
        .showApp: "在 {marketplace} 中查看 {app}",
        .released: "设备已解绑",
        .releasedText: "您现在可以使用另一台设备。在该设备上打开 App，即可获取许可证。",
        .stopped: "设备未能解绑",
        .stoppedText: "供应商已停用该设备的许可证。请向客服询问原因。",
        .asked: "您的请求已保存",
        .askedText: """
        您可以获取 {app} 的新许可证。
        许可证需要由设备自行获取。请在该设备上打开应用市场，等待一分钟，然后重新打开 {app}。
        """,
        .askedInVain: "您的请求已保存，但存在问题",
        .askedInVainText: "{app}：{problem}。",
        .over: "没有需要续期的许可证",
        .overText: "此许可证已终止。如需新的许可证，请从应用市场重新安装 App。",
        .unknownLicense: "找不到许可证",
        .unknownLicenseText: "此账号没有该许可证。",
        .noSession: "请重新登录",
        .noSessionText: "半小时已过，您的登录已失效。",
        .linkSpent: "此链接无法使用",
        .linkSpentText: "链接已被使用或已过期。请向客服索取新链接，或使用密码登录。",
        .formRefused: "请重试",
        .formRefusedText: "该表单不是从此页面提交的，或者您在此期间重新登录过。未作任何更改。",
        .tooMany: "尝试次数过多",
        .tooManyText: "请在 {count} 分钟后重试。",
        .busy: "请稍候",
        .busyText: "服务器繁忙，请过几秒再试。",
        .failed: "出现问题",
        .failedText: "这是我们的问题，未作任何更改。请过一分钟再试。",
        .deviceReleased: "{device} 已解绑",
        .deviceReleasedText: """
        请在要使用的设备上打开 App 并激活许可证。
        {device} 会在下次联网时得知已被解绑。
        """,
        .deviceKept: "设备未解绑",
        .yourDevices: "您的设备",
        .lastSeen: "上次连接",
        .release: "解绑此设备",
        .releaseNow: "确认解绑 {device}",
        .releasesLeft: "您今年还可以解绑 {count} 台设备。",
        .releaseCooldown: """
        您最近解绑过一台设备。您可以从 {date} 起解绑下一台设备。
        如果无法等待，请联系客服。
        """,
        .releasesUsedUp: """
        您今年的解绑次数已用完。您可以从 {date} 起解绑下一台设备。
        如果无法等待，请联系客服。
        """,
        .pageClosed: "此页面已关闭",
        .pageClosedText: "页面会保持打开半小时，之后任何人都无法查看。请向客服索取新链接。",
        .pageLinkSpent: "此链接无法使用",
        .pageLinkSpentText: "链接已被使用或已过期。请向客服索取新链接。",
        .contentsReleased: "设备已解绑",
        .contentsReleasedText: """
        设备上的所有内容均已退回。设备会在下次联网时得知这一变化。
        请在要使用的设备上登录，并在该设备上下载您的内容。
        """,
        .signedOut: "您已退出登录",
        .signedOutText: "除非您重新登录，否则任何人都无法在此查看您的设备。",
    ]
}
