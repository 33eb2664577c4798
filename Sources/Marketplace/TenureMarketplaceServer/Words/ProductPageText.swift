import TenureCore
import TenureServerKit

/// The sentences of the product pages.
enum ProductPageText: String, PageText {
    case matter, ownLead, lead, installTitle, getTitle, install, installHint, notNow
    case stepGet, marketplaceApp, stepOpen, stepFind, browserHint
    case withdrawn, withdrawnTitle, withdrawnText, unavailable, unavailableTitle, unavailableText
    case version, download, requires, orNewer, or, sizeRange, sizeRangeUnit
    case unknownTitle, unknownText, getApp

    static func words(in language: PageLanguage) -> [ProductPageText: Wording] {
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

    private static let english: [ProductPageText: Wording] = [
        .matter: "an app",
        .ownLead: "The app where you find all other apps.",
        .lead: "An app from {marketplace}.",
        .installTitle: "Install it",
        .getTitle: "Get it in {marketplace}",
        .install: "Install {app}",
        .installHint: """
        Open this page in Safari on your iPhone or iPad. The first time, your device asks you to allow apps from \
        this developer in Settings. Then come back and tap the button again.
        """,
        .notNow: "You can’t install it from this page at the moment. Please try again later.",
        .stepGet: "Get {link}, if you don’t have it yet.",
        .marketplaceApp: "the {marketplace} app",
        .stepOpen: "Open {marketplace} on your iPhone or iPad.",
        .stepFind: "Find {app} there and install it.",
        .browserHint: "A browser can install only the {marketplace} app, which then installs all other apps.",
        .withdrawn: "Withdrawn",
        .withdrawnTitle: "This app is no longer offered",
        .withdrawnText: "Installed copies keep working for as long as their licenses allow.",
        .unavailable: "Not available",
        .unavailableTitle: "You can’t install it right now",
        .unavailableText: "There is no version to install at the moment. Please try again later.",
        .version: "Version",
        .download: "Download",
        .requires: "Requires",
        .orNewer: "{systems}, or newer",
        .or: "{one} or {other}",
        .sizeRange: "{least} to {most}, depending on the device",
        .sizeRangeUnit: "{least} to {most} {unit}, depending on the device",
        .unknownTitle: "App not found",
        .unknownText: """
        {marketplace} has no app at this address. Check the link, or search for the app in {marketplace}.
        """,
        .getApp: "Get the {marketplace} app",
    ]

    private static let german: [ProductPageText: Wording] = [
        .matter: "eine App",
        .ownLead: "Die App, in der Sie alle anderen Apps finden.",
        .lead: "Eine App von {marketplace}.",
        .installTitle: "Installieren",
        .getTitle: "In {marketplace} laden",
        .install: "{app} installieren",
        .installHint: """
        Öffnen Sie diese Seite auf Ihrem iPhone oder iPad in Safari. Beim ersten Mal fragt das Gerät, ob \
        Sie Apps \
        dieses Entwicklers in den Einstellungen erlauben. Kommen Sie danach zurück und tippen Sie noch \
        einmal auf \
        die Taste.
        """,
        .notNow: "Von dieser Seite lässt sie sich zurzeit nicht installieren. Bitte versuchen Sie es später wieder.",
        .stepGet: "Holen Sie sich {link}, falls Sie sie noch nicht haben.",
        .marketplaceApp: "die App {marketplace}",
        .stepOpen: "Öffnen Sie {marketplace} auf Ihrem iPhone oder iPad.",
        .stepFind: "Suchen Sie dort {app} und installieren Sie die App.",
        .browserHint: """
        Ein Browser kann nur die App {marketplace} installieren. Diese installiert dann alle anderen Apps.
        """,
        .withdrawn: "Zurückgezogen",
        .withdrawnTitle: "Diese App wird nicht mehr angeboten",
        .withdrawnText: "Installierte Apps funktionieren, solange ihre Lizenzen es erlauben.",
        .unavailable: "Nicht verfügbar",
        .unavailableTitle: "Sie lässt sich zurzeit nicht installieren",
        .unavailableText: "Im Augenblick gibt es keine Version. Bitte versuchen Sie es später wieder.",
        .version: "Version",
        .download: "Download",
        .requires: "Benötigt",
        .orNewer: "{systems} oder neuer",
        .or: "{one} oder {other}",
        .sizeRange: "{least} bis {most}, je nach Gerät",
        .sizeRangeUnit: "{least} bis {most} {unit}, je nach Gerät",
        .unknownTitle: "App nicht gefunden",
        .unknownText: """
        Unter dieser Adresse hat {marketplace} keine App. Prüfen Sie den Link, oder suchen Sie die App in \
        {marketplace}.
        """,
        .getApp: "Die App {marketplace} laden",
    ]

    private static let korean: [ProductPageText: Wording] = [
        .matter: "앱",
        .ownLead: "다른 모든 앱을 찾을 수 있는 앱입니다.",
        .lead: "{marketplace}에서 제공하는 앱입니다.",
        .installTitle: "설치",
        .getTitle: "{marketplace}에서 받기",
        .install: "{app} 설치",
        .installHint: """
        iPhone이나 iPad의 Safari에서 이 페이지를 여세요. 처음에는 설정에서 이 개발자의 앱을 허용할지 묻습니다. 허용한 뒤 돌아와 버튼을 다시 누르세요.
        """,
        .notNow: "지금은 이 페이지에서 설치할 수 없습니다. 나중에 다시 시도해 주세요.",
        .stepGet: "아직 없다면 {link}을 받으세요.",
        .marketplaceApp: "{marketplace} 앱",
        .stepOpen: "iPhone이나 iPad에서 {marketplace} 앱을 여세요.",
        .stepFind: "{app} 앱을 찾아 설치하세요.",
        .browserHint: "브라우저에서는 {marketplace} 앱만 설치할 수 있으며, 다른 앱은 모두 이 앱에서 설치합니다.",
        .withdrawn: "제공 중단",
        .withdrawnTitle: "더 이상 제공되지 않는 앱입니다",
        .withdrawnText: "설치된 앱은 라이선스가 허용하는 동안 계속 사용할 수 있습니다.",
        .unavailable: "이용 불가",
        .unavailableTitle: "지금은 설치할 수 없습니다",
        .unavailableText: "현재 설치할 수 있는 버전이 없습니다. 나중에 다시 시도해 주세요.",
        .version: "버전",
        .download: "다운로드",
        .requires: "필요한 시스템",
        .orNewer: "{systems} 이상",
        .or: "{one} 또는 {other}",
        .sizeRange: "{least}~{most} (기기에 따라 다름)",
        .sizeRangeUnit: "{least}~{most} {unit} (기기에 따라 다름)",
        .unknownTitle: "앱을 찾을 수 없습니다",
        .unknownText: "이 주소에는 {marketplace}의 앱이 없습니다. 링크를 확인하거나 {marketplace}에서 앱을 검색하세요.",
        .getApp: "{marketplace} 앱 받기",
    ]

    private static let japanese: [ProductPageText: Wording] = [
        .matter: "アプリ",
        .ownLead: "ほかのすべてのアプリを探せるアプリです。",
        .lead: "{marketplace} のアプリです。",
        .installTitle: "インストール",
        .getTitle: "{marketplace} で入手",
        .install: "{app} をインストール",
        .installHint: """
        iPhone または iPad の Safari でこのページを開いてください。初回は、このデベロッパのアプリを「設定」で許可するよう求められます。許可したら戻って、もう一度ボタンを押してください。
        """,
        .notNow: "現在、このページからはインストールできません。後でもう一度お試しください。",
        .stepGet: "まだお持ちでなければ、{link}を入手してください。",
        .marketplaceApp: "{marketplace} のアプリ",
        .stepOpen: "iPhone または iPad で {marketplace} を開いてください。",
        .stepFind: "{app} を探してインストールしてください。",
        .browserHint: "ブラウザでインストールできるのは {marketplace} のアプリだけです。ほかのアプリはすべてそのアプリからインストールします。",
        .withdrawn: "提供終了",
        .withdrawnTitle: "このアプリは提供を終了しました",
        .withdrawnText: "インストール済みのアプリは、ライセンスが有効な間は使えます。",
        .unavailable: "利用不可",
        .unavailableTitle: "現在インストールできません",
        .unavailableText: "現在インストールできるバージョンがありません。後でもう一度お試しください。",
        .version: "バージョン",
        .download: "ダウンロード",
        .requires: "必要なシステム",
        .orNewer: "{systems} 以降",
        .or: "{one} または {other}",
        .sizeRange: "{least}〜{most} (デバイスによって異なります)",
        .sizeRangeUnit: "{least}〜{most} {unit} (デバイスによって異なります)",
        .unknownTitle: "アプリが見つかりません",
        .unknownText: "このアドレスに {marketplace} のアプリはありません。リンクを確認するか、{marketplace} でアプリを検索してください。",
        .getApp: "{marketplace} のアプリを入手",
    ]

    private static let french: [ProductPageText: Wording] = [
        .matter: "une app",
        .ownLead: "L’app où vous trouvez toutes les autres apps.",
        .lead: "Une app proposée par {marketplace}.",
        .installTitle: "Installer",
        .getTitle: "Obtenir dans {marketplace}",
        .install: "Installer {app}",
        .installHint: """
        Ouvrez cette page dans Safari sur votre iPhone ou votre iPad. La première fois, l’appareil vous demande \
        d’autoriser les apps de ce développeur dans Réglages. Revenez ensuite ici et touchez de nouveau le bouton.
        """,
        .notNow: "L’app ne peut pas être installée depuis cette page pour le moment. Veuillez réessayer plus tard.",
        .stepGet: "Obtenez {link}, si vous ne l’avez pas encore.",
        .marketplaceApp: "l’app {marketplace}",
        .stepOpen: "Ouvrez {marketplace} sur votre iPhone ou votre iPad.",
        .stepFind: "Cherchez-y {app} et installez l’app.",
        .browserHint: """
        Un navigateur ne peut installer que l’app {marketplace}, qui installe ensuite toutes les autres apps.
        """,
        .withdrawn: "Retirée",
        .withdrawnTitle: "Cette app n’est plus proposée",
        .withdrawnText: "Les apps déjà installées fonctionnent tant que leurs licences le permettent.",
        .unavailable: "Indisponible",
        .unavailableTitle: "L’app ne peut pas être installée pour le moment",
        .unavailableText: "Il n’y a pas de version à installer actuellement. Veuillez réessayer plus tard.",
        .version: "Version",
        .download: "Téléchargement",
        .requires: "Configuration requise",
        .orNewer: "{systems} ou version ultérieure",
        .or: "{one} ou {other}",
        .sizeRange: "de {least} à {most}, selon l’appareil",
        .sizeRangeUnit: "de {least} à {most} {unit}, selon l’appareil",
        .unknownTitle: "App introuvable",
        .unknownText: """
        {marketplace} n’a pas d’app à cette adresse. Vérifiez le lien, ou cherchez l’app dans {marketplace}.
        """,
        .getApp: "Obtenir l’app {marketplace}",
    ]

    private static let spanish: [ProductPageText: Wording] = [
        .matter: "una app",
        .ownLead: "La app donde encontrará todas las demás.",
        .lead: "Una app de {marketplace}.",
        .installTitle: "Instalar",
        .getTitle: "Obtener en {marketplace}",
        .install: "Instalar {app}",
        .installHint: """
        Abra esta página en Safari en su iPhone o iPad. La primera vez, el dispositivo le pide que permita las apps \
        de este desarrollador en Ajustes. Después, vuelva aquí y toque otra vez el botón.
        """,
        .notNow: "Por el momento no se puede instalar desde esta página. Inténtelo de nuevo más tarde.",
        .stepGet: "Obtenga {link}, si aún no la tiene.",
        .marketplaceApp: "la app {marketplace}",
        .stepOpen: "Abra {marketplace} en su iPhone o iPad.",
        .stepFind: "Busque allí {app} e instálela.",
        .browserHint: """
        Un navegador solo puede instalar la app {marketplace}, que después instala todas las demás.
        """,
        .withdrawn: "Retirada",
        .withdrawnTitle: "Esta app ya no se ofrece",
        .withdrawnText: "Las apps ya instaladas funcionan mientras sus licencias lo permitan.",
        .unavailable: "No disponible",
        .unavailableTitle: "Por el momento no se puede instalar",
        .unavailableText: "Ahora no hay ninguna versión para instalar. Inténtelo de nuevo más tarde.",
        .version: "Versión",
        .download: "Descarga",
        .requires: "Requiere",
        .orNewer: "{systems} o posterior",
        .or: "{one} o {other}",
        .sizeRange: "de {least} a {most}, según el dispositivo",
        .sizeRangeUnit: "de {least} a {most} {unit}, según el dispositivo",
        .unknownTitle: "App no encontrada",
        .unknownText: """
        {marketplace} no tiene ninguna app en esta dirección. Compruebe el enlace o busque la app en {marketplace}.
        """,
        .getApp: "Obtener la app {marketplace}",
    ]

    private static let simplifiedChinese: [ProductPageText: Wording] = [
        .matter: "App",
        .ownLead: "您可以在这个 App 中找到所有其他 App。",
        .lead: "由 {marketplace} 提供的 App。",
        .installTitle: "安装",
        .getTitle: "在 {marketplace} 中获取",
        .install: "安装 {app}",
        .installHint: """
        请在 iPhone 或 iPad 上使用 Safari 打开此页面。首次安装时，设备会要求您在“设置”中允许此开发者的 App。允许后请返回此页面，再次点按按钮。
        """,
        .notNow: "目前无法从此页面安装，请稍后再试。",
        .stepGet: "如果您尚未安装，请获取 {link}。",
        .marketplaceApp: "{marketplace} App",
        .stepOpen: "在 iPhone 或 iPad 上打开 {marketplace}。",
        .stepFind: "在其中查找 {app} 并安装。",
        .browserHint: "浏览器只能安装 {marketplace} App，其他 App 都通过它安装。",
        .withdrawn: "已下架",
        .withdrawnTitle: "此 App 已不再提供",
        .withdrawnText: "已安装的 App 在许可证有效期间可以继续使用。",
        .unavailable: "不可用",
        .unavailableTitle: "目前无法安装",
        .unavailableText: "目前没有可安装的版本，请稍后再试。",
        .version: "版本",
        .download: "下载大小",
        .requires: "系统要求",
        .orNewer: "{systems} 或更高版本",
        .or: "{one} 或 {other}",
        .sizeRange: "{least} 至 {most}（因设备而异）",
        .sizeRangeUnit: "{least} 至 {most} {unit}（因设备而异）",
        .unknownTitle: "找不到 App",
        .unknownText: "此地址没有 {marketplace} 的 App。请检查链接，或在 {marketplace} 中搜索该 App。",
        .getApp: "获取 {marketplace} App",
    ]
}
