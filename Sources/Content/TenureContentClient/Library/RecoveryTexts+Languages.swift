import TenureCore

extension RecoveryTexts {
    static let english = RecoveryTexts(
        retry: .init(
            "License renewal failed. Please check your network connection or re-download the content.", "Retry"),
        redownload: .init(
            "The downloaded file is missing or damaged. Please download the content again.", "Re-download"),
        signIn: .init("Your sign-in has ended. Please sign in again.", "Sign In"),
        support: .init(
            "This content cannot be renewed on this device. Please contact customer support.", "Customer Support"),
        setClock: .init(
            "The clock of this device is wrong. Please set it, or connect to the internet once.", "Set the Clock"),
        fileIsIntact: "The file isn't the problem, so downloading it again doesn't help.",
        renewalUnconfirmed: Reason.Kind.renewalUnconfirmed.sentence)

    static let german = RecoveryTexts(
        retry: .init(
            "Die Lizenz konnte nicht verlängert werden. Prüfen Sie die Internetverbindung, oder laden Sie den Inhalt neu.",
            "Wiederholen"),
        redownload: .init(
            "Die geladene Datei fehlt oder ist beschädigt. Bitte laden Sie den Inhalt noch einmal.", "Neu laden"),
        signIn: .init("Ihre Anmeldung ist abgelaufen. Bitte melden Sie sich noch einmal an.", "Anmelden"),
        support: .init(
            "Dieser Inhalt kann auf diesem Gerät nicht verlängert werden. Bitte wenden Sie sich an den Support.",
            "Support"),
        setClock: .init(
            "Die Uhr dieses Geräts geht falsch. Stellen Sie sie richtig, oder verbinden Sie das Gerät einmal mit dem Internet.",
            "Uhr stellen"),
        fileIsIntact: "Die Datei ist in Ordnung. Sie neu zu laden hilft deshalb nicht.",
        renewalUnconfirmed: "Dieser Inhalt wird erst verlängert, wenn Sie zustimmen.")

    static let korean = RecoveryTexts(
        retry: .init("라이선스 갱신에 실패했습니다. 네트워크 연결을 확인하거나 콘텐츠를 다시 다운로드해 주세요.", "다시 시도"),
        redownload: .init("다운로드한 파일이 없거나 손상되었습니다. 콘텐츠를 다시 다운로드해 주세요.", "다시 다운로드"),
        signIn: .init("로그인이 만료되었습니다. 다시 로그인해 주세요.", "로그인"),
        support: .init("이 기기에서 콘텐츠를 갱신할 수 없습니다. 고객센터에 문의해 주세요.", "고객센터"),
        setClock: .init("기기의 시계가 맞지 않습니다. 시계를 맞추거나 인터넷에 한 번 연결해 주세요.", "시계 설정"),
        fileIsIntact: "파일에는 문제가 없으므로 다시 다운로드해도 도움이 되지 않습니다.",
        renewalUnconfirmed: "이 콘텐츠는 동의하신 후에만 갱신됩니다.")

    static let japanese = RecoveryTexts(
        retry: .init(
            "ライセンスを更新できませんでした。ネットワーク接続を確認するか、コンテンツをもう一度ダウンロードしてください。", "再試行"),
        redownload: .init(
            "ダウンロードしたファイルがないか、破損しています。コンテンツをもう一度ダウンロードしてください。", "再ダウンロード"),
        signIn: .init("サインインの有効期限が切れました。もう一度サインインしてください。", "サインイン"),
        support: .init("このデバイスではコンテンツを更新できません。サポートにお問い合わせください。", "サポート"),
        setClock: .init(
            "デバイスの時計が正しくありません。時計を合わせるか、一度インターネットに接続してください。", "時計を合わせる"),
        fileIsIntact: "ファイルに問題はないため、もう一度ダウンロードしても解決しません。",
        renewalUnconfirmed: "このコンテンツは、同意いただいた後に更新されます。")

    static let french = RecoveryTexts(
        retry: .init(
            "La licence n’a pas pu être renouvelée. Vérifiez la connexion à Internet, ou téléchargez de nouveau le contenu.",
            "Réessayer"),
        redownload: .init(
            "Le fichier téléchargé est absent ou endommagé. Téléchargez de nouveau le contenu.", "Retélécharger"),
        signIn: .init("Votre session a expiré. Veuillez vous reconnecter.", "Se connecter"),
        support: .init(
            "Ce contenu ne peut pas être renouvelé sur cet appareil. Contactez l’assistance.", "Assistance"),
        setClock: .init(
            "L’horloge de cet appareil n’est pas à l’heure. Réglez-la, ou connectez-vous une fois à Internet.",
            "Régler l’horloge"),
        fileIsIntact: "Le fichier est intact. Le télécharger de nouveau ne sert donc à rien.",
        renewalUnconfirmed: "Ce contenu n’est renouvelé qu’avec votre accord.")

    static let spanish = RecoveryTexts(
        retry: .init(
            "No se ha podido renovar la licencia. Compruebe la conexión a internet o vuelva a descargar el contenido.",
            "Reintentar"),
        redownload: .init(
            "El archivo descargado no está o está dañado. Vuelva a descargar el contenido.", "Volver a descargar"),
        signIn: .init("Su sesión ha caducado. Inicie sesión de nuevo.", "Iniciar sesión"),
        support: .init(
            "Este contenido no se puede renovar en este dispositivo. Póngase en contacto con soporte.", "Soporte"),
        setClock: .init(
            "La hora de este dispositivo no es correcta. Ajústela o conéctese una vez a internet.",
            "Ajustar la hora"),
        fileIsIntact: "El archivo está en buen estado. Volver a descargarlo no sirve de nada.",
        renewalUnconfirmed: "Este contenido solo se renueva si usted da su consentimiento.")

    static let simplifiedChinese = RecoveryTexts(
        retry: .init("许可证续期失败。请检查网络连接，或重新下载内容。", "重试"),
        redownload: .init("下载的文件缺失或已损坏。请重新下载内容。", "重新下载"),
        signIn: .init("您的登录已失效。请重新登录。", "登录"),
        support: .init("此内容无法在此设备上续期。请联系客服。", "联系客服"),
        setClock: .init("此设备的时钟不正确。请校准时钟，或连接一次互联网。", "校准时钟"),
        fileIsIntact: "文件没有问题，重新下载也无法解决。",
        renewalUnconfirmed: "此内容只有在您同意后才会续期。")
}
