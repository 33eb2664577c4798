enum FrameKorean {
    static let words: [FrameText: Wording] = [
        .skip: "본문으로 건너뛰기",
        .view: "언어 및 시간대",
        .language: "언어",
        .timeZone: "시간대",
        .apply: "적용",
        .simulated: "시뮬레이션: 여기의 라이선스는 시험용이며 실제 기기에서는 사용할 수 없습니다.",
        .virtualClock: "가상 시계: 이 서버의 시간은 시험을 위해 조정되었습니다.",
        .nothingHere: "페이지를 찾을 수 없습니다",
        .homeTitle: "라이선스 서버",
        .homeLead: "앱이 라이선스를 확인하는 곳입니다. 이 페이지에서 하실 일은 없습니다.",
        .homeText: """
        라이선스, 기기 또는 과정의 링크를 받으셨다면 마지막 글자까지 전체 링크를 여세요.
        """,
        .homeProgram: "개발자용: {link}",
        .signedInAs: "로그인: {name}",
        .license: "라이선스 {name}",
        .signOut: "로그아웃",
        .close: "닫기",
        .supportEmail: "도움이 필요하시면 다음 주소로 문의하세요: {email}",
        .supportSite: "도움이 필요하시면 다음 사이트를 방문하세요: {site}",
        .supportBoth: "도움이 필요하시면 다음으로 문의하세요: {email} 또는 {site}",
        .supportReference: "고객센터 문의 번호: {reference}",
        .homepage: "{name} 웹사이트로 이동",
        .timeNow: "지금",
        .timeInMinutes: "{count}분 후",
        .timeInHours: "{count}시간 후",
        .timeInDays: "{count}일 후",
        .timeMinutesAgo: "{count}분 전",
        .timeHoursAgo: "{count}시간 전",
        .timeDaysAgo: "{count}일 전",
        .linkTitle: "일회용 링크",
        .linkWorksOnce: "이 링크는 한 번만 사용할 수 있습니다.",
        .linkStaysSignedIn: "이 기기에서 30분 동안 로그인이 유지됩니다.",
        .linkStaysOpen: "페이지는 이 기기에서 30분 동안 열려 있습니다.",
        .goOn: "계속",
        .toStart: "처음으로",
        .toDevices: "내 기기로 돌아가기",
        .toLicense: "내 라이선스로 돌아가기",
        .showApp: "{marketplace}에서 {app} 보기",
        .released: "기기가 해제되었습니다",
        .releasedText: "이제 다른 기기를 사용할 수 있습니다. 그 기기에서 앱을 열면 라이선스를 받습니다.",
        .stopped: "기기가 해제되지 않았습니다",
        .stoppedText: "판매자가 이 기기의 라이선스를 중지했습니다. 이유는 고객센터에 문의하세요.",
        .asked: "요청이 저장되었습니다",
        .askedText: """
        {app}의 새 라이선스를 받을 수 있습니다.
        라이선스는 기기가 직접 받아야 합니다. 그 기기에서 마켓플레이스 앱을 열고 1분 정도 기다린 뒤 {app}을(를) 다시 시작하세요.
        """,
        .askedInVain: "요청이 저장되었지만 문제가 있습니다",
        .askedInVainText: "{app}: {problem}.",
        .over: "갱신할 것이 없습니다",
        .overText: "이 라이선스는 종료되었습니다. 새 라이선스를 받으려면 마켓플레이스 앱에서 앱을 다시 설치하세요.",
        .unknownLicense: "라이선스를 찾을 수 없습니다",
        .unknownLicenseText: "이 계정에는 해당 라이선스가 없습니다.",
        .noSession: "다시 로그인해 주세요",
        .noSessionText: "30분이 지나 로그아웃되었습니다.",
        .linkSpent: "사용할 수 없는 링크입니다",
        .linkSpentText: "이미 사용했거나 기한이 지난 링크입니다. 고객센터에 새 링크를 요청하거나 비밀번호로 로그인하세요.",
        .formRefused: "다시 시도해 주세요",
        .formRefusedText: "이 페이지에서 보낸 양식이 아니거나 그사이 새로 로그인하셨습니다. 변경된 것은 없습니다.",
        .tooMany: "시도 횟수가 너무 많습니다",
        .tooManyText: "{count}분 후에 다시 시도해 주세요.",
        .busy: "잠시만 기다려 주세요",
        .busyText: "서버에 요청이 많습니다. 몇 초 후에 다시 시도해 주세요.",
        .failed: "문제가 발생했습니다",
        .failedText: "저희 쪽 문제이며 변경된 것은 없습니다. 1분 후에 다시 시도해 주세요.",
        .deviceReleased: "{device}: 해제되었습니다",
        .deviceReleasedText: """
        사용할 기기에서 앱을 시작하고 라이선스를 활성화하세요.
        {device}: 다음에 인터넷에 연결할 때 해제된 것을 알게 됩니다.
        """,
        .deviceKept: "기기가 해제되지 않았습니다",
        .yourDevices: "내 기기",
        .lastSeen: "마지막 접속",
        .release: "이 기기 해제",
        .releaseNow: "네, 해제합니다: {device}",
        .releasesLeft: "올해 기기 {count}대를 해제할 수 있습니다.",
        .releaseCooldown: """
        최근에 기기를 해제했습니다. 다음 기기는 {date}부터 해제할 수 있습니다.
        기다리기 어려우시면 고객센터에 문의하세요.
        """,
        .releasesUsedUp: """
        1년 동안의 해제 횟수를 모두 사용했습니다. 다음 기기는 {date}부터 해제할 수 있습니다.
        기다리기 어려우시면 고객센터에 문의하세요.
        """,
        .pageClosed: "페이지가 닫혔습니다",
        .pageClosedText: "페이지는 30분 동안 열려 있으며 그 후에는 아무도 볼 수 없습니다. 새 링크는 고객센터에 요청하세요.",
        .pageLinkSpent: "사용할 수 없는 링크입니다",
        .pageLinkSpentText: "이미 사용했거나 기한이 지난 링크입니다. 새 링크는 고객센터에 요청하세요.",
        .contentsReleased: "기기가 해제되었습니다",
        .contentsReleasedText: """
        기기에 있던 콘텐츠가 모두 반납되었으며, 기기는 다음에 서버에 연결할 때 이를 알게 됩니다.
        사용할 기기에서 로그인한 뒤 콘텐츠를 다운로드하세요.
        """,
        .signedOut: "로그아웃되었습니다",
        .signedOutText: "다시 로그인하지 않으면 여기서 아무도 내 기기를 볼 수 없습니다.",
    ]
}
