#if !canImport(Darwin)
    extension SMTPClient {
        /// The last step of an exchange with a mail server, and the server's last response.
        package struct Result: Sendable, Hashable {
            /// The step at which an exchange ended.
            package enum Step: String, Sendable, CaseIterable {
                case connecting, greeting, encrypting, authenticating, sender, recipient, content
            }

            /// Why an exchange failed, if the mail server didn't refuse a command.
            package enum Fault: Sendable, Hashable {
                /// The connection failed, ended or took too long.
                case noConnection
                /// The connection isn't encrypted, or its certificate isn't trusted.
                case insecure
                /// The mail server offers no way to authenticate with a password, or the client is set up wrongly.
                case misconfigured
            }

            package let step: Step
            /// The code of the mail server's response; `nil` if it sent no response.
            package var code: Int?
            /// Why the exchange failed; `nil` if ``code`` explains the failure, or if the exchange succeeded.
            package var fault: Fault?
            /// The mail server's response, or libcurl's message without a response.
            package let text: String

            package init(step: Step, code: Int? = nil, fault: Fault? = nil, text: String) {
                self.step = step
                self.code = code
                self.fault = fault
                self.text = text
            }
        }
    }
#endif
