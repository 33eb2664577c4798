enum FrameJapanese {
    static let words: [FrameText: Wording] = [
        .skip: "本文へ移動",
        .view: "言語とタイムゾーン",
        .language: "言語",
        .timeZone: "タイムゾーン",
        .apply: "適用",
        .simulated: "シミュレーション: このサーバーのライセンスはテスト用で、実際のデバイスでは使えません。",
        .virtualClock: "仮想時計: このサーバーの時刻はテストのために調整されています。",
        .nothingHere: "ページが見つかりません",
        .homeTitle: "ライセンスサーバー",
        .homeLead: "アプリがライセンスを確認するための場所です。このページで行うことはありません。",
        .homeText: """
        ライセンス、デバイス、コースへのリンクを受け取った場合は、最後の文字まで含むリンク全体を開いてください。
        """,
        .homeProgram: "開発者の方へ: {link}",
        .signedInAs: "サインイン中: {name}",
        .license: "ライセンス {name}",
        .signOut: "サインアウト",
        .close: "閉じる",
        .supportEmail: "お困りの場合は {email} までご連絡ください。",
        .supportSite: "お困りの場合は {site} をご覧ください。",
        .supportBoth: "お困りの場合は {email} までご連絡いただくか、{site} をご覧ください。",
        .supportReference: "お問い合わせ番号: {reference}",
        .homepage: "{name} のウェブサイトへ",
        .timeNow: "現在",
        .timeInMinutes: "{count}分後",
        .timeInHours: "{count}時間後",
        .timeInDays: "{count}日後",
        .timeMinutesAgo: "{count}分前",
        .timeHoursAgo: "{count}時間前",
        .timeDaysAgo: "{count}日前",
        .linkTitle: "1回限りのリンク",
        .linkWorksOnce: "このリンクは1回だけ使えます。",
        .linkStaysSignedIn: "このデバイスでは30分間サインインしたままになります。",
        .linkStaysOpen: "ページはこのデバイスで30分間開いたままになります。",
        .goOn: "続ける",
        .toStart: "最初のページへ",
        .toDevices: "デバイスの一覧に戻る",
        .toLicense: "ライセンスのページに戻る",
        .showApp: "{marketplace} で {app} を表示",
        .released: "デバイスを解除しました",
        .releasedText: "別のデバイスを使えるようになりました。そのデバイスでアプリを開くとライセンスを取得できます。",
        .stopped: "デバイスを解除できませんでした",
        .stoppedText: "提供元がこのデバイスのライセンスを停止しています。理由はサポートにお問い合わせください。",
        .asked: "リクエストを保存しました",
        .askedText: """
        {app} の新しいライセンスを取得できます。
        ライセンスはデバイス自身が取得します。そのデバイスでマーケットプレイスのアプリを開き、1分ほど待ってから {app} をもう一度起動してください。
        """,
        .askedInVain: "リクエストを保存しましたが、問題があります",
        .askedInVainText: "{app}: {problem}。",
        .over: "更新するものはありません",
        .overText: "このライセンスは終了しました。新しいライセンスを取得するには、マーケットプレイスのアプリからもう一度インストールしてください。",
        .unknownLicense: "ライセンスが見つかりません",
        .unknownLicenseText: "このアカウントにはこのライセンスがありません。",
        .noSession: "もう一度サインインしてください",
        .noSessionText: "30分経過したためサインアウトしました。",
        .linkSpent: "このリンクは使えません",
        .linkSpentText: "すでに使用されたか、有効期限が切れています。サポートに新しいリンクを依頼するか、パスワードでサインインしてください。",
        .formRefused: "もう一度お試しください",
        .formRefusedText: "このページから送信されたフォームではないか、その後にサインインし直されています。何も変更されていません。",
        .tooMany: "試行回数が多すぎます",
        .tooManyText: "{count}分後にもう一度お試しください。",
        .busy: "少々お待ちください",
        .busyText: "サーバーが混み合っています。数秒後にもう一度お試しください。",
        .failed: "問題が発生しました",
        .failedText: "こちら側の問題です。何も変更されていません。1分後にもう一度お試しください。",
        .deviceReleased: "{device} を解除しました",
        .deviceReleasedText: """
        使いたいデバイスでアプリを起動し、ライセンスを有効化してください。
        {device} には、次に接続したときに解除が伝わります。
        """,
        .deviceKept: "デバイスを解除できませんでした",
        .yourDevices: "デバイス",
        .lastSeen: "最後の接続",
        .release: "このデバイスを解除",
        .releaseNow: "はい、{device} を解除します",
        .releasesLeft: "今年はあと{count}台のデバイスを解除できます。",
        .releaseCooldown: """
        最近デバイスを解除しました。次のデバイスは {date} から解除できます。
        お待ちになれない場合は、サポートにご連絡ください。
        """,
        .releasesUsedUp: """
        今年の解除回数をすべて使いました。次のデバイスは {date} から解除できます。
        お待ちになれない場合は、サポートにご連絡ください。
        """,
        .pageClosed: "このページは閉じられています",
        .pageClosedText: "ページは30分間だけ開き、その後は誰も見られません。新しいリンクはサポートに依頼してください。",
        .pageLinkSpent: "このリンクは使えません",
        .pageLinkSpentText: "すでに使用されたか、有効期限が切れています。新しいリンクはサポートに依頼してください。",
        .contentsReleased: "デバイスを解除しました",
        .contentsReleasedText: """
        デバイス上のコンテンツはすべて返却されました。デバイスには、次に接続したときに伝わります。
        使いたいデバイスでサインインし、コンテンツをダウンロードしてください。
        """,
        .signedOut: "サインアウトしました",
        .signedOutText: "もう一度サインインしない限り、ここでデバイスを見ることは誰にもできません。",
    ]
}
