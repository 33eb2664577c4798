enum SimplifiedChineseTexts {
    static let reasons: [String: TextPair] = [
        "lease_holds": .init("许可证已于 {issuedAt} 通过验证。", "您无需进行任何操作。联网时会自动重新验证许可证。"),
        "lease_lapsed": .init(
            "许可证上次验证时间为 {issuedAt}，有效期至 {expiresAt}。", "请连接互联网，App 会自动验证许可证。您也可以立即检查。"),
        "lease_unverifiable": .init("无法核实已保存的许可证验证信息。", "请连接互联网，App 会自动重新验证许可证。您也可以立即检查。"),
        "lease_missing": .init("此设备上的许可证尚未验证。", "请连接互联网，App 会自动验证许可证。您也可以立即检查。"),
        "record_corrupted": .init("此设备上的许可证数据已损坏。", "请重新输入许可证密钥。如果没有密钥，请连接互联网并立即检查。"),
        "record_corrupted.foundAt": .init(
            "{foundAt} 之前保存在此处的许可证数据已损坏，不会使用。", "请重新输入许可证密钥。这不会算作第二次激活。"),
        "record_foreign": .init("许可证数据来自其他设备或属于其他产品。", "请在此设备上激活许可证密钥。如果没有密钥，请连接互联网并立即检查。"),
        "record_foreign.foundAt": .init(
            "{foundAt} 之前保存在此处的许可证数据不会使用。数据来自其他设备，或者此设备的标识已更改。", "请在此设备上激活许可证密钥。"),
        "record_unreadable": .init("无法读取许可证数据。", "请允许 App 读取其文件，然后重新打开 App。"),
        "record_unwritable": .init("无法保存许可证数据。", "请允许 App 写入其文件，并确保有可用的存储空间。"),
        "clock_set_back": .init("此设备的时钟显示 {clock}，但实际时间不早于 {atLeast}。", "请校准时钟，或连接互联网并立即检查。"),
        "trial_running": .init("试用期将于 {endsAt} 结束。", "请激活许可证密钥，以便之后继续使用 App。"),
        "trial_ended": .init("试用期已于 {endedAt} 结束。", "请激活许可证密钥。"),
        "trial_not_started": .init("没有许可证，试用期也尚未开始。", "请开始试用，或激活许可证密钥。"),
        "trial_not_offered": .init("没有许可证，此产品也不提供试用。", "请激活许可证密钥。"),
        "free_tier": .init("此产品有免费版。", "请激活许可证密钥以解锁全部功能。"),
        "no_free_tier": .init("此产品没有免费版。", "请激活许可证密钥。"),
        "not_connected_yet": .init("请联网一次，以查看包含的功能。", "请连接互联网并立即检查，或激活许可证密钥。"),
        "product_terms_unknown": .init("App 尚不清楚您在没有许可证时可以使用哪些功能。", "请连接互联网并立即检查，或激活许可证密钥。"),
        "server_unreached": .init("向许可证服务器发送的请求失败。", "您无需进行任何操作，App 会自动重试。"),
        "server_unreached.cause.offline": .init("无法连接许可证服务器。", "请连接互联网，App 会自动重试。您也可以立即检查。"),
        "server_unreached.cause.cancelled": .init("向许可证服务器发送的请求已取消。", "请连接互联网，App 会自动重试。您也可以立即检查。"),
        "server_unreached.cause.captive": .init("此网络需要先登录。", "请在浏览器中登录网络，App 会自动重试。您也可以立即检查。"),
        "server_unreached.cause.busy": .init("许可证服务器繁忙。", "您无需进行任何操作，App 会自动重试。"),
        "server_unreached.cause.untrusted": .init(
            "在此网络中，与许可证服务器的连接不安全。", "请尝试其他网络。如果仍无法解决，请联系供应商。"),
        "server_unreached.cause.unverified": .init("无法验证许可证服务器的响应。", "请尝试其他网络。如果仍无法解决，请联系供应商。"),
        "server_unreached.cause.misconfigured": .init("许可证服务器不接受此 App 的设置。", "请联系供应商。App 会自动重试。"),
        "server_unreached.triedAt": .init(
            "上一次向许可证服务器发送的请求（{triedAt}）失败。",
            "请立即检查，或耐心等待：App 也会自动尝试。"),
        "server_unreached.until": .init("许可证服务器要求 App 等到 {until}。", "请届时再次检查，或耐心等待：App 也会自动尝试。"),
        "license_refused": .init("许可证服务器拒绝了该许可证。", "请向供应商询问原因。"),
        "license_in_use": .init("此设备已有有效的许可证。", "如需替换，请重新打开链接并确认。"),
        "not_looked_yet": .init("App 启动后尚未检查许可证。", "请稍候。"),
        "license_unknown": .init("此产品没有使用该密钥的许可证。", "请检查密钥是否输入正确，以及是否属于此产品。"),
        "license_rekeyed": .init("许可证已更换密钥，此密钥不再有效。", "请激活新密钥。如果没有新密钥，请联系供应商。"),
        "license_revoked": .init("许可证已吊销。", "请向供应商询问原因。已吊销的许可证无法恢复，但供应商可以签发新的许可证。"),
        "license_revoked.cause.refund": .init("由于款项已退还，许可证已吊销。", "已吊销的许可证无法恢复，但供应商可以签发新的许可证。"),
        "license_returned": .init("许可证已退回。", "请使用其他许可证密钥。已退回的许可证无法恢复。"),
        "license_suspended": .init("许可证已暂停。", "请联系供应商恢复许可证。您的设备仍保持激活状态。"),
        "license_suspended.cause.refund": .init("由于款项已退还，许可证已暂停。", "请联系供应商恢复许可证。您的设备仍保持激活状态。"),
        "license_suspended.cause.dispute": .init("由于付款存在争议，许可证已暂停。争议被驳回后，许可证将自动恢复。", "请联系供应商恢复许可证。您的设备仍保持激活状态。"),
        "license_expired": .init("许可证已过期。", "请为许可证续期并立即检查。此设备仍保持激活状态。"),
        "license_expired.expiredAt": .init(
            "许可证已于 {expiredAt} 过期。", "请为许可证续期。设备仍保持激活状态，续期后即可立即使用。"),
        "license_expired.mode.fallback": .init("许可证已过期，App 只能使用部分功能。", "如需重新解锁全部功能，请为许可证续期并立即检查。"),
        "license_in_grace": .init("许可证已于 {expiredAt} 过期，宽限期至 {graceEndsAt}。", "请在宽限期结束前为许可证续期。"),
        "license_stays_suspended": .init("许可证在恢复之前将一直暂停，有效期仍会继续计算。", "请联系供应商恢复许可证。"),
        "activation_released": .init("许可证未在此设备上激活。", "请在此设备上重新激活许可证密钥。"),
        "activation_released_by_holder": .init(
            "此设备已在许可证页面上或从其他设备上解绑。", "请在此重新激活许可证密钥，或联系供应商恢复此设备。"),
        "activation_released_by_holder.releasedAt": .init(
            "此设备已于 {releasedAt} 在许可证页面上或从其他设备上解绑。", "请在此重新激活许可证密钥，或联系供应商恢复此设备。"),
        "activation_other_device": .init("此激活属于其他设备。", "请在此设备上激活许可证密钥。"),
        "activation_limit_reached": .init(
            "此许可证的激活名额已用完（{activations}/{activationLimit}）。",
            "请在不再使用的设备上停用许可证，或联系供应商提高上限。"),
        "activation_limit_reached.deviceChanges": .init(
            "此许可证最近在过多不同的设备上使用过（{devices} 台）。", "请使用其中一台设备、等待一段时间，或联系供应商。"),
        "self_release_off": .init("您不能从其他设备上解绑此许可证的设备。", "请在该设备上停用许可证，或联系供应商处理。"),
        "self_release_cooldown": .init("最近解绑过一台设备，目前还不能解绑下一台。", "请稍后再试，或联系供应商。"),
        "self_release_used_up": .init("您今年的设备解绑次数（{perYear} 次）已用完。", "请稍后再试，或联系供应商。"),
        "error.not_stored": .init(
            "无法在此设备上保存许可证。", "请释放存储空间，允许 App 写入其文件，然后重试。"),
        "error.not_read": .init("无法读取此设备上的许可证。", "请允许 App 读取其文件，然后重新打开 App。"),
        "error.misconfigured": .init("此 App 的许可证设置无效。", "请更新 App，或联系供应商。"),
        "error.no_device": .init("无法识别此设备。", "请向 App 的供应商询问如何识别此设备。"),
    ]

    static let views: [String: String] = [
        "notDetermined": "许可证", "trial.one": "试用期：剩余 1 天", "trial": "试用期：剩余 {days} 天", "licensed": "许可证有效",
        "limited": "许可证已过期", "freeTier": "免费版", "trialEnded": "试用期已结束", "noLicense": "没有许可证",
        "expired": "许可证已过期", "clockSetBack": "时钟被调回", "invalid": "许可证无效", "startTrial": "开始试用",
        "check": "立即检查", "deactivate": "在此设备上停用", "key": "许可证密钥", "activate": "激活",
    ]
}
