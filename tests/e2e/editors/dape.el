;; SPDX-License-Identifier: Apache-2.0
;; Launch, breakpoint, stop, variables, continue, end: with dape.

(load (expand-file-name "session.el" (file-name-directory load-file-name)) nil t)
(session-packages)
(require 'dape)
(load (getenv "LINES") nil t)

(setq session-buffers '((console . "*dape-repl*") (output . "*dape-shell*") (adapter . "*dape-connection stderr*")))
(session-open)
(dape-breakpoint-toggle)
(dape (dape--config-eval 'jvmdebug nil))

(defun session-connection () (dape--live-connection 'stopped t))
(defvar session-conn (session-wait "a stop" #'session-connection))
(defvar session-frame
  (session-wait "the frame" (lambda () (dape--current-stack-frame session-conn))))
(session-saw 'line (plist-get session-frame :line))
(session-saw 'method (plist-get session-frame :name))

(defvar session-scope
  (progn (dape--scopes session-conn session-frame #'ignore)
         (session-wait "scopes" (lambda () (car (plist-get session-frame :scopes))))))
(dape--variables session-conn session-scope #'ignore)
(session-saw 'variables
             (mapcar (lambda (each) (cons (plist-get each :name) (plist-get each :value)))
                     (session-wait "variables" (lambda () (plist-get session-scope :variables)))))
(dape-evaluate-expression session-conn "1 + 2")
(session-wait "an evaluation" (lambda () (string-match-p "^3" (session-text "*dape-repl*"))))
(dape-continue session-conn)
(session-wait "the end" (lambda () (not (dape--live-connection 'parent t))))
(session-end)
