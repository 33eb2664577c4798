import TenureCore
import TenureServerKit

/// The sentences of the pages where people sign in, and of the sign-in form of the resolution page.
enum SignInPageText: String, PageText {
    case matter, signIn, lead, yourAccount, hint, cancel, account, password, oneTimeLink, useLink, pasteLink
    case signInOrLink, wrong, linkSpent, invalidRequest, unknownAddress, unnamedApp
    case stranger, strangerText, over, overText, elsewhere, elsewhereText, signedIn, signedInText, showDevices

    static func words(in language: PageLanguage) -> [SignInPageText: Wording] {
        switch language {
        case .english: english
        case .german: german
        case .korean: korean
        case .japanese: japanese
        case .french: french
        case .spanish: spanish
        case .simplifiedChinese: simplifiedChinese
        }
    }

    private static let english: [SignInPageText: Wording] = [
        .matter: "signing in",
        .signIn: "Sign in",
        .lead: "Sign in to your account to continue in the app.",
        .yourAccount: "Your account at {marketplace}",
        .hint: "The app learns who you are, but never sees your password.",
        .cancel: "Cancel",
        .account: "Account or e-mail",
        .password: "Password",
        .oneTimeLink: "One-time link",
        .useLink: "Use a one-time link instead",
        .pasteLink: "Paste the link that support sent you and leave the password empty.",
        .signInOrLink: "Sign in with your account at {marketplace}, or open the one-time link that support sent you.",
        .wrong: "The account or password is wrong. Please check both.",
        .linkSpent: "This link doesn’t work. It has been used already or has expired.",
        .invalidRequest: "The app’s request is invalid.",
        .unknownAddress: "The app asked to send you to an address that {marketplace} doesn’t know.",
        .unnamedApp: "The app didn’t identify itself.",
        .stranger: "The app can’t sign you in",
        .strangerText: "{reason} No data was sent. Please contact the developer of the app.",
        .over: "This sign-in has ended",
        .overText: "It has been completed already, or took too long. Go back to the app and sign in again.",
        .elsewhere: "Please start again",
        .elsewhereText: """
        This sign-in was started in another browser or app. You weren’t signed in. Go back to where you \
        started and \
        sign in there.
        """,
        .signedIn: "You are signed in",
        .signedInText: "You stay signed in at {marketplace} on this device for half an hour.",
        .showDevices: "Show your devices",
    ]

    private static let german: [SignInPageText: Wording] = [
        .matter: "Anmeldung",
        .signIn: "Anmelden",
        .lead: "Melden Sie sich mit Ihrem Konto an, um in der App fortzufahren.",
        .yourAccount: "Ihr Konto bei {marketplace}",
        .hint: "Die App erfährt, wer Sie sind, sieht aber nie Ihr Passwort.",
        .cancel: "Abbrechen",
        .account: "Konto oder E-Mail",
        .password: "Passwort",
        .oneTimeLink: "Einmal-Link",
        .useLink: "Stattdessen einen Einmal-Link verwenden",
        .pasteLink: "Fügen Sie den Link ein, den Sie vom Support erhalten haben, und lassen Sie das Passwort leer.",
        .signInOrLink: """
        Melden Sie sich mit Ihrem Konto bei {marketplace} an, oder öffnen Sie den Einmal-Link, den Sie vom \
        Support \
        erhalten haben.
        """,
        .wrong: "Konto oder Passwort stimmt nicht. Bitte prüfen Sie beides.",
        .linkSpent: "Dieser Link funktioniert nicht. Er wurde schon benutzt oder ist abgelaufen.",
        .invalidRequest: "Die Anfrage der App ist ungültig.",
        .unknownAddress: "Die App wollte Sie an eine Adresse schicken, die {marketplace} nicht kennt.",
        .unnamedApp: "Die App hat nicht gesagt, wer sie ist.",
        .stranger: "Die App kann Sie nicht anmelden",
        .strangerText: "{reason} Es wurden keine Daten gesendet. Bitte wenden Sie sich an den Entwickler der App.",
        .over: "Diese Anmeldung ist beendet",
        .overText: """
        Sie ist schon abgeschlossen oder hat zu lange gedauert. Gehen Sie zurück zur App und melden Sie \
        sich dort \
        noch einmal an.
        """,
        .elsewhere: "Bitte beginnen Sie noch einmal",
        .elsewhereText: """
        Diese Anmeldung wurde in einem anderen Browser oder einer anderen App begonnen. Sie wurden nicht \
        angemeldet. Gehen Sie dorthin zurück und melden Sie sich dort an.
        """,
        .signedIn: "Sie sind angemeldet",
        .signedInText: "Sie bleiben auf diesem Gerät eine halbe Stunde lang bei {marketplace} angemeldet.",
        .showDevices: "Ihre Geräte zeigen",
    ]

    private static let korean: [SignInPageText: Wording] = [
        .matter: "로그인",
        .signIn: "로그인",
        .lead: "앱에서 계속하려면 계정에 로그인하세요.",
        .yourAccount: "{marketplace} 계정",
        .hint: "앱은 사용자가 누구인지 알게 되지만 비밀번호는 볼 수 없습니다.",
        .cancel: "취소",
        .account: "계정 또는 이메일",
        .password: "비밀번호",
        .oneTimeLink: "일회용 링크",
        .useLink: "일회용 링크 사용",
        .pasteLink: "고객센터에서 받은 링크를 붙여 넣고 비밀번호는 비워 두세요.",
        .signInOrLink: "{marketplace} 계정으로 로그인하거나 고객센터에서 받은 일회용 링크를 여세요.",
        .wrong: "계정 또는 비밀번호가 올바르지 않습니다. 둘 다 확인해 주세요.",
        .linkSpent: "사용할 수 없는 링크입니다. 이미 사용했거나 기한이 지났습니다.",
        .invalidRequest: "앱의 요청이 올바르지 않습니다.",
        .unknownAddress: "앱이 {marketplace}에 등록되지 않은 주소로 보내려고 했습니다.",
        .unnamedApp: "앱이 자신을 밝히지 않았습니다.",
        .stranger: "앱에서 로그인할 수 없습니다",
        .strangerText: "{reason} 전송된 데이터는 없습니다. 앱 개발자에게 문의해 주세요.",
        .over: "로그인이 종료되었습니다",
        .overText: "이미 완료되었거나 시간이 너무 오래 걸렸습니다. 앱으로 돌아가 다시 로그인하세요.",
        .elsewhere: "다시 시작해 주세요",
        .elsewhereText: "다른 브라우저나 앱에서 시작한 로그인입니다. 로그인되지 않았습니다. 시작한 곳으로 돌아가 로그인하세요.",
        .signedIn: "로그인되었습니다",
        .signedInText: "이 기기에서 30분 동안 {marketplace} 로그인이 유지됩니다.",
        .showDevices: "내 기기 보기",
    ]

    private static let japanese: [SignInPageText: Wording] = [
        .matter: "サインイン",
        .signIn: "サインイン",
        .lead: "アプリで続けるには、アカウントにサインインしてください。",
        .yourAccount: "{marketplace} のアカウント",
        .hint: "アプリにはお客様が誰であるかが伝わりますが、パスワードは伝わりません。",
        .cancel: "キャンセル",
        .account: "アカウントまたはメール",
        .password: "パスワード",
        .oneTimeLink: "1回限りのリンク",
        .useLink: "1回限りのリンクを使う",
        .pasteLink: "サポートから届いたリンクを貼り付け、パスワードは空のままにしてください。",
        .signInOrLink: "{marketplace} のアカウントでサインインするか、サポートから届いた1回限りのリンクを開いてください。",
        .wrong: "アカウントまたはパスワードが正しくありません。両方を確認してください。",
        .linkSpent: "このリンクは使えません。すでに使用されたか、有効期限が切れています。",
        .invalidRequest: "アプリのリクエストが正しくありません。",
        .unknownAddress: "アプリが {marketplace} に登録されていないアドレスへ移動しようとしました。",
        .unnamedApp: "アプリが自身を識別していません。",
        .stranger: "アプリからサインインできません",
        .strangerText: "{reason} データは送信されていません。アプリの開発者にお問い合わせください。",
        .over: "このサインインは終了しました",
        .overText: "すでに完了したか、時間がかかりすぎました。アプリに戻ってもう一度サインインしてください。",
        .elsewhere: "最初からやり直してください",
        .elsewhereText: "このサインインは別のブラウザまたはアプリで開始されました。サインインされていません。開始した場所に戻ってサインインしてください。",
        .signedIn: "サインインしました",
        .signedInText: "このデバイスでは30分間 {marketplace} にサインインしたままになります。",
        .showDevices: "デバイスを表示",
    ]

    private static let french: [SignInPageText: Wording] = [
        .matter: "connexion",
        .signIn: "Se connecter",
        .lead: "Connectez-vous à votre compte pour continuer dans l’app.",
        .yourAccount: "Votre compte {marketplace}",
        .hint: "L’app apprend qui vous êtes, mais ne voit jamais votre mot de passe.",
        .cancel: "Annuler",
        .account: "Compte ou e-mail",
        .password: "Mot de passe",
        .oneTimeLink: "Lien à usage unique",
        .useLink: "Utiliser plutôt un lien à usage unique",
        .pasteLink: "Collez le lien que l’assistance vous a envoyé et laissez le mot de passe vide.",
        .signInOrLink: """
        Connectez-vous avec votre compte {marketplace}, ou ouvrez le lien à usage unique que l’assistance vous a \
        envoyé.
        """,
        .wrong: "Le compte ou le mot de passe est incorrect. Vérifiez les deux.",
        .linkSpent: "Ce lien ne fonctionne pas. Il a déjà servi ou a expiré.",
        .invalidRequest: "La demande de l’app n’est pas valide.",
        .unknownAddress: "L’app voulait vous envoyer à une adresse que {marketplace} ne connaît pas.",
        .unnamedApp: "L’app ne s’est pas identifiée.",
        .stranger: "L’app ne peut pas vous connecter",
        .strangerText: "{reason} Aucune donnée n’a été envoyée. Contactez le développeur de l’app.",
        .over: "Cette connexion a pris fin",
        .overText: "Elle est déjà terminée ou a pris trop de temps. Retournez dans l’app et reconnectez-vous.",
        .elsewhere: "Veuillez recommencer",
        .elsewhereText: """
        Cette connexion a été commencée dans un autre navigateur ou une autre app. Elle n’a pas abouti. Retournez \
        là où vous avez commencé et connectez-vous.
        """,
        .signedIn: "La connexion a réussi",
        .signedInText: "Votre session {marketplace} reste ouverte une demi-heure sur cet appareil.",
        .showDevices: "Voir vos appareils",
    ]

    private static let spanish: [SignInPageText: Wording] = [
        .matter: "inicio de sesión",
        .signIn: "Iniciar sesión",
        .lead: "Inicie sesión en su cuenta para continuar en la app.",
        .yourAccount: "Su cuenta de {marketplace}",
        .hint: "La app sabrá quién es usted, pero nunca verá su contraseña.",
        .cancel: "Cancelar",
        .account: "Cuenta o correo electrónico",
        .password: "Contraseña",
        .oneTimeLink: "Enlace de un solo uso",
        .useLink: "Usar un enlace de un solo uso",
        .pasteLink: "Pegue el enlace que le envió soporte y deje vacía la contraseña.",
        .signInOrLink: """
        Inicie sesión con su cuenta de {marketplace} o abra el enlace de un solo uso que le envió soporte.
        """,
        .wrong: "La cuenta o la contraseña no es correcta. Compruebe ambas.",
        .linkSpent: "Este enlace no funciona. Ya se ha usado o ha caducado.",
        .invalidRequest: "La solicitud de la app no es válida.",
        .unknownAddress: "La app quería enviarle a una dirección que {marketplace} no conoce.",
        .unnamedApp: "La app no se ha identificado.",
        .stranger: "La app no puede iniciar su sesión",
        .strangerText: "{reason} No se ha enviado ningún dato. Póngase en contacto con el desarrollador de la app.",
        .over: "Este inicio de sesión ha terminado",
        .overText: "Ya se completó o tardó demasiado. Vuelva a la app e inicie sesión de nuevo.",
        .elsewhere: "Empiece de nuevo",
        .elsewhereText: """
        Este inicio de sesión comenzó en otro navegador u otra app. No se ha iniciado sesión. Vuelva al lugar \
        donde empezó e inicie sesión allí.
        """,
        .signedIn: "Ha iniciado sesión",
        .signedInText: "Su sesión en {marketplace} permanece abierta media hora en este dispositivo.",
        .showDevices: "Ver sus dispositivos",
    ]

    private static let simplifiedChinese: [SignInPageText: Wording] = [
        .matter: "登录",
        .signIn: "登录",
        .lead: "请登录您的账号，以便在 App 中继续。",
        .yourAccount: "您的 {marketplace} 账号",
        .hint: "App 会知道您是谁，但不会看到您的密码。",
        .cancel: "取消",
        .account: "账号或邮箱",
        .password: "密码",
        .oneTimeLink: "一次性链接",
        .useLink: "改用一次性链接",
        .pasteLink: "请粘贴客服发给您的链接，密码留空即可。",
        .signInOrLink: "请使用 {marketplace} 账号登录，或打开客服发给您的一次性链接。",
        .wrong: "账号或密码错误，请检查。",
        .linkSpent: "此链接无法使用。链接已被使用或已过期。",
        .invalidRequest: "App 的请求无效。",
        .unknownAddress: "App 试图将您转到 {marketplace} 未登记的地址。",
        .unnamedApp: "App 未表明身份。",
        .stranger: "App 无法为您登录",
        .strangerText: "{reason}未发送任何数据。请联系 App 的开发者。",
        .over: "此次登录已结束",
        .overText: "登录已完成或用时过长。请返回 App 重新登录。",
        .elsewhere: "请重新开始",
        .elsewhereText: "此次登录是在其他浏览器或 App 中开始的，您尚未登录。请返回开始的地方进行登录。",
        .signedIn: "您已登录",
        .signedInText: "您在此设备上的 {marketplace} 登录状态会保持半小时。",
        .showDevices: "查看您的设备",
    ]
}
