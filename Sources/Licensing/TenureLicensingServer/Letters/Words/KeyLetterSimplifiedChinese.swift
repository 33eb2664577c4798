import TenureServerKit

enum KeyLetterSimplifiedChinese {
    static let words: [KeyLetterText: Wording] = [
        .keySubject: "您的 {product} 许可证密钥",
        .keysSubject: "您的 {product} 许可证密钥列表",
        .replacedSubject: "您的 {product} 新许可证密钥",
        .greeting: "{name}，您好：",
        .greetingUnnamed: "您好：",
        .keysIntro: "这是 {vendor} 为您提供的 {count} 个 {product} 许可证密钥。",
        .replacedIntro: "{vendor} 为您的 {product} 许可证提供了新密钥。旧密钥不能再激活任何设备。",
        .devicesContinue: "已激活 {product} 的设备可继续使用旧密钥。",
        .devicesContinueIfEarlier: "在 {date} 之前激活的设备可继续使用旧密钥。其他设备将在下次检查时停用，直到您在设备上输入新密钥。",
        .devicesStop: "使用旧密钥的设备将在下次检查时停用，直到您在设备上输入新密钥。",
        .plan: "方案：{plan}",
        .validUntil: "有效期至：{date}",
        .expiredOn: "已过期：{date}",
        .neverExpires: "有效期：永久",
        .startsWhenActivated: "开始：首次激活时",
        .howToActivate: "要激活 {product}，请打开应用并输入密钥。",
        .orLink: "或在要激活的设备上打开此链接：",
        .linkNotOpened: "某些网页邮箱无法打开此类链接。在这种情况下，请在 {product} 中输入密钥。",
        .support: "如有问题，请写信至 {contact}",
    ]
}
