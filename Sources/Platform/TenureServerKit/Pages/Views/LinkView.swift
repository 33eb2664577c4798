/// The page that a one-time link opens: it has a button, so that a preview of the link doesn't use it up.
package struct LinkView: Sendable, Hashable {
    /// The link's secret, as received.
    package let text: String

    package init(text: String) { self.text = text }

    private func what(_ frame: PageFrame) -> Spoken {
        switch frame.site {
        case .resolution, .signIn, .product:
            Spoken(
                "It shows the status of your account at \(frame.marketplace).",
                "\(frame.marketplace) 계정의 상태를 보여 줍니다.")
        case .holder:
            Spoken(
                "It shows the devices of your license and lets you release one that you no longer use.",
                "라이선스를 사용하는 기기를 보여 주며, 더 이상 쓰지 않는 기기를 해제할 수 있습니다.")
        case .learner:
            Spoken(
                "It shows your courses and the content on your devices, and lets you release a device that you no "
                    + "longer use.",
                "수강 중인 과정과 기기에 저장된 콘텐츠를 보여 주며, 더 이상 쓰지 않는 기기를 해제할 수 있습니다.")
        }
    }

    /// The form's path: the link's own path on a learner's pages, otherwise one path for all links.
    private func action(_ frame: PageFrame) -> PagePath {
        frame.site == .learner ? frame.path("link", text) : frame.path("link")
    }

    /// The page, which is the same for every link, whether it works or not.
    package func page(in frame: PageFrame) -> Page {
        let language = frame.language
        let title = Spoken("Your one-time link", "일회용 링크")(in: language)
        let stay =
            frame.site == .resolution
            ? Spoken("You stay signed in on this device for half an hour.", "이 기기에서 30분 동안 로그인이 유지됩니다.")
            : Spoken("The page stays open on this device for half an hour.", "페이지는 이 기기에서 30분 동안 열려 있습니다.")
        return Page(title: title) {
            Tag.div {
                Tag.h1 { title }
                Tag.p(.class("lead")) { what(frame)(in: language) }
            }
            Tag.section(.class("card")) {
                Tag.p {
                    Spoken("The link works once.", "이 링크는 한 번만 사용할 수 있습니다.")(in: language) + " "
                    stay(in: language)
                }
                Tag.form(.post, .action(action(frame))) {
                    if frame.site != .learner { Tag.input(.type("hidden"), .name("link"), .value(text)) }
                    Tag.button(.type("submit")) { Spoken("Continue", "계속")(in: language) }
                }
            }
        }
    }
}
