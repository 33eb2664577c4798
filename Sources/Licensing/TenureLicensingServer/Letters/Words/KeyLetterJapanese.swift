import TenureServerKit

enum KeyLetterJapanese {
    static let words: [KeyLetterText: Wording] = [
        .keySubject: "{product} のライセンスキー",
        .keysSubject: "{product} のライセンスキー一覧",
        .replacedSubject: "{product} の新しいライセンスキー",
        .greeting: "{name} 様",
        .greetingUnnamed: "お客様",
        .keysIntro: "{vendor} から {product} のライセンスキー {count} 件をお送りします。",
        .replacedIntro: "{vendor} から {product} のライセンスの新しいキーをお送りします。以前のキーではデバイスを認証できなくなりました。",
        .devicesContinue: "{product} が認証済みのデバイスは、以前のキーのまま引き続き使用できます。",
        .devicesContinueIfEarlier: "{date} より前に認証されたデバイスは、以前のキーのまま引き続き使用できます。その他のデバイスは、次回の確認以降、新しいキーを入力するまで使用できません。",
        .devicesStop: "以前のキーを使用しているデバイスは、次回の確認以降、新しいキーを入力するまで使用できません。",
        .plan: "プラン: {plan}",
        .validUntil: "有効期限: {date}",
        .expiredOn: "期限切れ: {date}",
        .neverExpires: "有効期限: なし",
        .startsWhenActivated: "開始: 最初の認証時",
        .howToActivate: "{product} を認証するには、アプリを開いてキーを入力してください。",
        .orLink: "または、認証するデバイスでこのリンクを開いてください。",
        .linkNotOpened: "Web メールによっては、このようなリンクが開かないことがあります。その場合は {product} にキーを入力してください。",
        .support: "ご質問はこちらまで: {contact}",
    ]
}
