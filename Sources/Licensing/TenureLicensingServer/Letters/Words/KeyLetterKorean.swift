import TenureServerKit

enum KeyLetterKorean {
    static let words: [KeyLetterText: Wording] = [
        .keySubject: "{product} 라이선스 키",
        .keysSubject: "{product} 라이선스 키 모음",
        .replacedSubject: "{product}의 새 라이선스 키",
        .greeting: "{name} 님, 안녕하세요.",
        .greetingUnnamed: "안녕하세요.",
        .keysIntro: "{vendor}에서 보내 드리는 {product} 라이선스 키 {count}개입니다.",
        .replacedIntro: "{vendor}에서 {product} 라이선스의 새 키를 보내 드립니다. 이전 키로는 더 이상 기기를 활성화할 수 없습니다.",
        .devicesContinue: "{product}이(가) 활성화된 기기는 이전 키로 계속 사용할 수 있습니다.",
        .devicesContinueIfEarlier: "{date} 이전에 활성화된 기기는 이전 키로 계속 사용할 수 있습니다. 다른 기기는 다음 확인 때부터 새 키를 입력할 때까지 작동하지 않습니다.",
        .devicesStop: "이전 키를 쓰는 기기는 다음 확인 때부터 새 키를 입력할 때까지 작동하지 않습니다.",
        .plan: "요금제: {plan}",
        .validUntil: "유효 기간: {date}까지",
        .expiredOn: "만료됨: {date}",
        .neverExpires: "유효 기간: 만료 없음",
        .startsWhenActivated: "시작: 처음 활성화할 때",
        .howToActivate: "{product}을(를) 활성화하려면 앱을 열고 키를 입력하세요.",
        .orLink: "또는 활성화할 기기에서 이 링크를 여세요.",
        .linkNotOpened: "일부 웹 메일에서는 이런 링크가 열리지 않습니다. 그런 경우 {product}에 키를 입력하세요.",
        .support: "궁금한 점이 있으면 여기로 문의하세요: {contact}",
    ]
}
